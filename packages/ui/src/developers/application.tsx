import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import { CopyButton } from '../parts/copy-button.js';
import { Menu } from '../parts/menu.js';
import { Notice } from '../parts/notice.js';
import { StatusNote } from '../parts/status-note.js';
import { Ago } from '../screen/ago.js';
import { QueryView } from '../screen/asked.js';
import { Screen } from '../screen/screen.js';
import { shownDay } from '../screen/shown-time.js';
import { t as ofTeams } from '../team/words.js';
import {
  ActivityDialog,
  AddSecretDialog,
  MadeSecretDialog,
  RemoveApplicationDialog,
  RemoveSecretDialog,
} from './application-dialogs.js';
import { ApplicationDialog } from './application-form.js';
import { type ApplicationDetail, type ApplicationSecret, useApplications } from './application-rules.js';
import { applicationStatus, isRedirected, keepsSecret, subjectName, typeName } from './application-words.js';
import { t } from './words.js';

interface Shows {
  /** A notice left by another screen. */
  readonly firstNotice: string | undefined;
  /** Leaves the screen after the application was removed. */
  readonly onRemoved: (notice: string) => Promise<void>;
}

/** The application that a path names. */
export function ApplicationOfPath({
  id: wanted,
  ...shows
}: Shows & { readonly id: string | undefined }): ReactElement {
  const applicationId = /^[1-9]\d{0,14}$/.test(wanted ?? '') ? Number(wanted) : undefined;
  return applicationId === undefined ? (
    <Screen title={t('application.goneTitle')} tone="error" lead={t('application.goneLead')} />
  ) : (
    <Asked key={applicationId} applicationId={applicationId} {...shows} />
  );
}

function Asked({ applicationId, ...shows }: Shows & { readonly applicationId: number }): ReactElement {
  const { api, key } = useApplications();
  const detail = useQuery({
    queryKey: [...key, 'applications', applicationId],
    queryFn: async ({ signal }) => (await api.detail.query({ applicationId }, { signal })).data,
  });
  return (
    <QueryView answer={detail} title={t('applications.title')}>
      {(application) => <Shown application={application} {...shows} />}
    </QueryView>
  );
}

type Asking = 'edit' | 'activity' | 'remove' | 'secret' | ApplicationSecret;

/** One application: its state, what it may do, and its secrets. */
function Shown({
  application,
  firstNotice,
  onRemoved,
}: Shows & { readonly application: ApplicationDetail }): ReactElement {
  const { name, type, active, blocked, clientId } = application;
  const [asking, setAsking] = useState<Asking>();
  const [made, setMade] = useState<string>();
  const [notice, setNotice] = useState(firstNotice);
  const close = (): void => setAsking(undefined);
  const { tone, title, lead } = applicationStatus(application);
  const change = {
    words: t(active ? 'application.stop' : 'application.start'),
    onClick: () => setAsking('activity'),
  };
  return (
    <Screen
      title={name}
      actions={
        <>
          <Button kind="primary" onClick={() => setAsking('edit')}>
            {t('application.edit')}
          </Button>
          <Menu
            label={t('application.more')}
            items={[
              ...(blocked ? [] : [change]),
              { words: t('application.remove'), isGrave: true, onClick: () => setAsking('remove') },
            ]}
          />
        </>
      }
    >
      <Notice text={notice} onClose={setNotice} />
      <StatusNote
        tone={tone}
        title={title}
        actions={
          active || blocked ? undefined : (
            <Button onClick={() => setAsking('activity')}>{t('application.start')}</Button>
          )
        }
      >
        <p>{lead}</p>
      </StatusNote>
      <Card title={t('application.clientId')}>
        <div className="flex flex-wrap items-center gap-3 p-3">
          <code className="min-w-0 font-mono wrap-anywhere select-all" translate="no">
            {clientId}
          </code>
          <CopyButton text={clientId} label={t('application.copyClientId')} />
        </div>
      </Card>
      {keepsSecret(type) ? <Secrets application={application} onAsk={setAsking} /> : null}
      <Facts application={application} />
      {asking === 'edit' ? (
        <ApplicationDialog
          application={application}
          onSaved={async (saved) => setNotice(t('application.saved', { name: saved.name }))}
          onClose={close}
        />
      ) : null}
      {asking === 'activity' ? (
        <ActivityDialog application={application} onNotice={setNotice} onClose={close} />
      ) : null}
      {asking === 'remove' ? (
        <RemoveApplicationDialog application={application} onDone={onRemoved} onClose={close} />
      ) : null}
      {asking === 'secret' ? (
        <AddSecretDialog application={application} onMade={setMade} onClose={close} />
      ) : null}
      {typeof asking === 'object' ? (
        <RemoveSecretDialog application={application} secret={asking} onNotice={setNotice} onClose={close} />
      ) : null}
      {made === undefined ? null : <MadeSecretDialog secret={made} onClose={() => setMade(undefined)} />}
    </Screen>
  );
}

const MAX_SECRETS = 2;

/** What an application authenticates with. */
function Secrets({
  application: { secrets, jwks, jwksUri },
  onAsk,
}: {
  readonly application: ApplicationDetail;
  readonly onAsk: (asking: Asking) => void;
}): ReactElement {
  const hasKeys = jwks !== null || jwksUri !== null;
  return (
    <Card title={t('appSecret.title')}>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line p-3">
        <p className="min-w-0 flex-1 basis-60 text-quiet">
          {t(hasKeys ? 'appSecret.unused' : 'appSecret.lead')}
        </p>
        {secrets.length < MAX_SECRETS && !hasKeys ? (
          <Button isSmall onClick={() => onAsk('secret')}>
            {t('appSecret.add')}
          </Button>
        ) : null}
      </div>
      {secrets.length === 0 && !hasKeys ? <p className="p-3 text-quiet">{t('appSecret.none')}</p> : null}
      <ul className="divide-y divide-line">
        {secrets.map((secret) => (
          <li key={secret.id} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 px-3 py-2.5">
            <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
              <code className="font-mono">{secret.start}…</code>
              <p className="text-note text-quiet">
                {t('appSecret.since', { day: shownDay(secret.createdAt) })}
                {' · '}
                {secret.lastUsedAt === null ? (
                  t('key.unused')
                ) : (
                  <>
                    {t('key.used')} <Ago at={secret.lastUsedAt} />
                  </>
                )}
              </p>
            </div>
            <Menu
              isRow
              label={ofTeams('team.actions', { name: secret.start })}
              about={secret.start}
              items={[{ words: t('appSecret.remove'), isGrave: true, onClick: () => onAsk(secret) }]}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Where an application runs, and what it may do. */
function Facts({ application }: { readonly application: ApplicationDetail }): ReactElement {
  const { type, redirectUris, postLogoutRedirectUris, backchannelLogoutUri, scopes } = application;
  const keys = application.jwksUri ?? application.jwks?.keys.map(({ kty }) => kty).join(', ');
  const { skipConsent, pkceExempt, createdAt } = application;
  return (
    <Card title={t('application.facts')}>
      <dl className="divide-y divide-line">
        <Fact name={t('application.type')}>{typeName(type)}</Fact>
        {isRedirected(type) ? <Fact name={t('application.redirects')}>{listed(redirectUris)}</Fact> : null}
        {postLogoutRedirectUris.length === 0 ? null : (
          <Fact name={t('application.logoutRedirectsName')}>{listed(postLogoutRedirectUris)}</Fact>
        )}
        {backchannelLogoutUri === null ? null : (
          <Fact name={t('application.backchannelName')}>{listed([backchannelLogoutUri])}</Fact>
        )}
        {keys === undefined ? null : <Fact name={t('application.jwks')}>{listed([keys])}</Fact>}
        <Fact name={t('application.scopes')}>
          <code className="font-mono text-note">{scopes.join(', ')}</code>
        </Fact>
        {isRedirected(type) ? (
          <Fact name={t('application.subjects')}>{subjectName(application.subjectType)}</Fact>
        ) : null}
        {skipConsent === undefined ? null : (
          <Fact name={t('application.consent')}>
            {t(skipConsent ? 'application.consentSkipped' : 'application.consentAsked')}
          </Fact>
        )}
        {pkceExempt === true ? <Fact name="PKCE">{t('application.pkceNotNeeded')}</Fact> : null}
        <Fact name={t('application.since')}>{shownDay(createdAt)}</Fact>
      </dl>
    </Card>
  );
}

const listed = (uris: readonly string[]): ReactNode =>
  uris.map((uri) => (
    <p key={uri}>
      <bdi className="font-mono text-note">{uri}</bdi>
    </p>
  ));

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="grid gap-x-3 gap-y-1 px-3 py-2.5 rows:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
