import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote, StillAsking } from '@gatehouse/ui/form/form';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Menu } from '@gatehouse/ui/parts/menu';
import { Notice } from '@gatehouse/ui/parts/notice';
import { StatusNote } from '@gatehouse/ui/parts/status-note';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { roleName } from '@gatehouse/ui/team/role-name';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { keepFlowAtProvider } from '../../../provider-flow.js';
import { keep, takeKept } from '../../../tab-storage.js';
import { usePlace } from '../account-place.js';
import { BackLink } from './back-link.js';
import { ActivateDialog, DeactivateDialog, RemoveDialog } from './connection-dialogs.js';
import { ConnectionForm } from './connection-form.js';
import { TestCard } from './connection-test.js';
import { JoiningCard } from './joining-card.js';
import { ProviderSteps, ValuesToPaste, valuesOf } from './provider-steps.js';
import {
  type Connection,
  certificateEnd,
  kindName,
  providerInSentence,
  providerName,
  providerOf,
  type Sso,
  statusOf,
  useSso,
} from './sso-data.js';
import { t } from './words.js';

export const ConnectionScreen = inLanguage(ConnectionOfPath);

/** The connection with an identity provider that the path names. */
function ConnectionOfPath(): ReactElement {
  const { mayDo, roleLabel } = usePlace();
  return mayDo('sso.manage') ? <Known /> : <Denied role={roleName(roleLabel)} />;
}

function Known(): ReactElement {
  const { connection: id } = useParams({ strict: false });
  const answer = useSso();
  return (
    <QueryView answer={answer} title={t('ssoShown.title')} trail={<BackLink />}>
      {({ data: sso }) => {
        const connection = sso.connections.find((each) => String(each.id) === id);
        return connection === undefined ? (
          <Screen title={t('ssoShown.gone')} tone="error" lead={t('ssoShown.goneLead')} />
        ) : (
          <Shown key={connection.id} connection={connection} sso={sso} />
        );
      }}
    </QueryView>
  );
}

type Asking = 'activate' | 'deactivate' | 'remove' | 'leave';

interface Shows {
  readonly connection: Connection;
  readonly sso: Sso;
}

/**
 * Whether a form has unsaved changes, and a key that resets the form once they are saved. Nothing else resets it, so that what
 * was typed stays.
 */
function useEdits() {
  const [edits, set] = useState({ key: 0, isEdited: false });
  return {
    ...edits,
    onEdited: () => set((before) => (before.isEdited ? before : { ...before, isEdited: true })),
    onSaved: () => set(({ key }) => ({ key: key + 1, isEdited: false })),
  };
}

/** One connection: its state, its test, its settings, and who may sign in by it. */
function Shown({ connection, sso }: Shows): ReactElement {
  const { api, accountId } = usePlace();
  const { name, kind, active, tested, hasChanges, id: connectionId } = connection;
  const { test: testId } = useSearch({ strict: false });
  const navigate = useNavigate();
  const mutation = useMutationState();
  const leaving = useMutationState();
  const [notice, setNotice] = useState(() => takeKept('notice'));
  const [asking, setAsking] = useState<Asking>();
  const [isTaught, setTaught] = useState(false);
  const settings = useEdits();
  const joining = useEdits();
  const provider = providerOf(connection);
  const { tone, title, lead } = statusOf(connection, sso);
  const mayActivate = tested && (!active || hasChanges);
  const certificate = certificateEnd(connection);
  const problem = connection.saml?.metadataProblem ?? null;
  const dialogs = { connection, sso, onDone: setNotice, onClose: () => setAsking(undefined) };

  async function test(signal: AbortSignal): Promise<void> {
    const { data } = await withReauth(() => api.sso.test.mutate({ connectionId }, { signal }));
    // A person who returns another way, such as by Back, finds the result here too.
    await navigate({ to: '.', search: { test: data.testId }, replace: true });
    keepFlowAtProvider({ test: `${location.pathname}?test=${data.testId}` });
    await leaveTo(data.url);
  }

  function onSaved(isTested: boolean): void {
    setNotice(t(isTested ? 'joining.saved' : 'joining.savedUntested'));
  }

  return (
    <Screen
      title={name}
      lead={t('ssoShown.lead', { kind: kindName(kind), provider: providerName(provider) })}
      actions={
        <Menu
          label={t('ssoShown.more')}
          items={[
            ...(active ? [{ words: t('deactivate.open'), onClick: () => setAsking('deactivate') }] : []),
            { words: t('ssoRemove.open'), isGrave: true, onClick: () => setAsking('remove') },
          ]}
        />
      }
    >
      <Notice text={notice} onClose={setNotice} />
      <StatusNote
        tone={tone}
        title={title}
        actions={
          <>
            {mayActivate ? (
              <Button kind="primary" onClick={() => setAsking('activate')}>
                {t('activate.submit')}
              </Button>
            ) : null}
            <Button
              kind={mayActivate || tested ? 'plain' : 'primary'}
              isBusy={mutation.isBusy}
              onClick={() =>
                settings.isEdited || joining.isEdited ? setAsking('leave') : mutation.send(test)
              }
            >
              {t('test.begin')}
            </Button>
          </>
        }
      >
        <p>{lead}</p>
      </StatusNote>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <StillAsking mutation={mutation} />
      {testId === undefined ? null : <TestCard key={testId} testId={testId} />}
      <Card title={t('ssoShown.values', { provider: providerInSentence(provider) })}>
        <div className="flex flex-col items-start gap-5 p-3">
          <ValuesToPaste kind={kind} provider={provider} values={valuesOf(connection)} />
          {connection.saml === null ? null : (
            <ButtonLink href={connection.saml.serviceEntityId} download="metadata.xml">
              {t('value.downloadMetadata')}
            </ButtonLink>
          )}
          <Button aria-expanded={isTaught} onClick={() => setTaught(!isTaught)}>
            {t('ssoShown.steps')}
          </Button>
          {isTaught ? <ProviderSteps provider={provider} kind={kind} /> : null}
        </div>
      </Card>
      <Card title={t('ssoShown.settings')}>
        <div className="flex flex-col gap-5 p-3" onInput={settings.onEdited}>
          {certificate === undefined ? null : (
            <p className={certificate.isSoon ? 'font-semibold' : 'text-quiet'}>
              {t('ssoShown.certificate', { day: shownDay(certificate.endsAt) })}
            </p>
          )}
          {problem === null ? null : (
            <p>
              {t('ssoShown.metadataProblem')} <span lang="en">{problem}</span>
            </p>
          )}
          <ConnectionForm
            key={settings.key}
            kind={kind}
            provider={provider}
            connection={connection}
            onSaved={({ tested: isTested }) => {
              settings.onSaved();
              onSaved(isTested);
            }}
          />
        </div>
      </Card>
      <JoiningCard
        key={`joining ${joining.key}`}
        connection={connection}
        onEdited={joining.onEdited}
        onSaved={({ tested: isTested }) => {
          joining.onSaved();
          onSaved(isTested);
        }}
      />
      {asking === 'leave' ? (
        <Confirm
          title={t('test.unsaved')}
          effect={t('test.unsavedEffect')}
          action={t('test.unsavedSubmit')}
          mutation={leaving}
          onConfirm={(_fields, signal) => test(signal)}
          onClose={dialogs.onClose}
        />
      ) : null}
      {asking === 'activate' ? <ActivateDialog {...dialogs} /> : null}
      {asking === 'deactivate' ? <DeactivateDialog {...dialogs} /> : null}
      {asking === 'remove' ? (
        <RemoveDialog
          {...dialogs}
          onDone={async (words) => {
            keep('notice', words);
            await navigate({ to: '/a/$account/settings/directory', params: { account: String(accountId) } });
          }}
        />
      ) : null}
    </Screen>
  );
}
