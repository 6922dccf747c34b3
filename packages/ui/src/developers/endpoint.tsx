import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { FailureNote, StillAsking } from '../form/form.js';
import { Banner } from '../parts/banner.js';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import { Menu } from '../parts/menu.js';
import { Notice } from '../parts/notice.js';
import { StatusNote } from '../parts/status-note.js';
import { Ago } from '../screen/ago.js';
import { QueryView } from '../screen/asked.js';
import { Screen } from '../screen/screen.js';
import { shownDay, shownTime } from '../screen/shown-time.js';
import { withReauth } from '../session/with-reauth.js';
import { Deliveries } from './deliveries.js';
import type { DeliverySearch } from './delivery-search.js';
import { useEndpoints } from './endpoint-data.js';
import {
  EndpointDialog,
  type MadeSecret,
  PauseDialog,
  RemoveEndpointDialog,
  ResumeDialog,
  RotateSecretDialog,
  SecretDialog,
} from './endpoint-dialogs.js';
import { type Endpoint, endpointStatus, type Ping, pingText } from './endpoint-status.js';
import { usePrograms } from './programs.js';
import { t } from './words.js';

const REDELIVERY_WORDS = {
  running: 'redelivery.running',
  done: 'redelivery.done',
  stopped: 'redelivery.stopped',
} as const;

interface Shows {
  /** Which of its deliveries are shown. */
  readonly search: DeliverySearch;
  readonly onSearch: (search: DeliverySearch) => void;
  /** Leaves the screen after the endpoint was removed. */
  readonly onRemoved: (notice: string) => Promise<void>;
}

/** The endpoint that a path names. */
export function EndpointOfPath({
  id: wanted,
  ...shows
}: Shows & { readonly id: string | undefined }): ReactElement {
  const endpoints = useEndpoints();
  return (
    <QueryView answer={endpoints} title={t('endpoints.title')}>
      {(rows) => {
        const endpoint = rows.find(({ id }) => String(id) === wanted);
        return endpoint === undefined ? (
          <Screen title={t('endpoint.goneTitle')} tone="error" lead={t('endpoint.goneLead')} />
        ) : (
          <Shown key={endpoint.id} endpoint={endpoint} {...shows} />
        );
      }}
    </QueryView>
  );
}

type Asking = 'edit' | 'rotate' | 'pause' | 'resume' | 'remove';

/** One endpoint: its state, its actions, and its deliveries. */
function Shown({
  endpoint,
  search,
  onSearch,
  onRemoved,
}: Shows & { readonly endpoint: Endpoint }): ReactElement {
  const { id: endpointId, url, description, active, state, lastSuccessAt } = endpoint;
  const { api, key } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [asking, setAsking] = useState<Asking>();
  const [made, setMade] = useState<MadeSecret>();
  const [ping, setPing] = useState<Ping>();
  const [notice, setNotice] = useState<string>();
  const close = (): void => setAsking(undefined);
  const { tone, title, lead } = endpointStatus(endpoint);
  const isStopped = !active || state === 'disabled';
  const answer = ping === undefined ? undefined : pingText(ping);
  const test = (): void =>
    mutation.send(async (signal) => {
      setPing(undefined);
      const { data } = await withReauth(() => api.eventEndpoint.test.mutate({ endpointId }, { signal }));
      setPing(data);
      await queries.invalidateQueries({ queryKey: [...key, 'endpoints'] });
    });
  return (
    <Screen
      // The title of a document is kept in histories, and the query of an address may hold a secret.
      title={url.split('?')[0] ?? url}
      lead={description === '' ? undefined : <bdi>{description}</bdi>}
      actions={
        <>
          <Button kind="primary" isBusy={mutation.isBusy} onClick={test}>
            {t('endpoint.test')}
          </Button>
          <Menu
            label={t('endpoint.more')}
            items={[
              { words: t('endpoint.edit'), onClick: () => setAsking('edit') },
              { words: t('endpoint.rotate'), onClick: () => setAsking('rotate') },
              isStopped
                ? { words: t('resume.open'), onClick: () => setAsking('resume') }
                : { words: t('pause.open'), onClick: () => setAsking('pause') },
              { words: t('endpoint.remove'), isGrave: true, onClick: () => setAsking('remove') },
            ]}
          />
        </>
      }
    >
      <Notice text={notice} onClose={setNotice} />
      <StillAsking mutation={mutation} />
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      {answer === undefined ? null : (
        <Banner tone={answer.tone}>
          <p className="font-semibold">{t('endpoint.tested')}</p>
          <p>{answer.words}</p>
        </Banner>
      )}
      <StatusNote
        tone={tone}
        title={title}
        actions={
          isStopped ? <Button onClick={() => setAsking('resume')}>{t('resume.open')}</Button> : undefined
        }
      >
        <p>{lead}</p>
        <p className="text-quiet">
          {lastSuccessAt === null ? (
            t('endpoint.noSuccess')
          ) : (
            <>
              {t('endpoint.lastSuccess')} <Ago at={lastSuccessAt} />
            </>
          )}
        </p>
      </StatusNote>
      <Facts endpoint={endpoint} />
      <Deliveries
        key={endpointId}
        endpointId={endpointId}
        search={search}
        onSearch={onSearch}
        onNotice={setNotice}
      />
      {asking === 'edit' ? (
        <EndpointDialog
          endpoint={endpoint}
          onSaved={({ ping: answered }) => {
            setNotice(t('endpoint.saved'));
            setPing(answered ?? undefined);
          }}
          onClose={close}
        />
      ) : null}
      {asking === 'rotate' ? (
        <RotateSecretDialog endpoint={endpoint} onMade={setMade} onClose={close} />
      ) : null}
      {asking === 'pause' ? (
        <PauseDialog endpoint={endpoint} onDone={() => setNotice(t('pause.done'))} onClose={close} />
      ) : null}
      {asking === 'resume' ? (
        <ResumeDialog endpoint={endpoint} onDone={() => setNotice(t('resume.done'))} onClose={close} />
      ) : null}
      {asking === 'remove' ? (
        <RemoveEndpointDialog
          endpoint={endpoint}
          onDone={() => onRemoved(t('endpoint.removed'))}
          onClose={close}
        />
      ) : null}
      {made === undefined ? null : <SecretDialog made={made} onClose={() => setMade(undefined)} />}
    </Screen>
  );
}

/** What an endpoint gets, and which secrets sign it. */
function Facts({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { url, types, secretBeginning, previousSecretUntil, redelivery, createdAt } = endpoint;
  return (
    <Card title={t('endpoint.facts')}>
      <dl className="divide-y divide-line">
        <Fact name={t('endpoint.url')}>
          <bdi className="font-mono text-note">{url}</bdi>
        </Fact>
        <Fact name={t('types.label')}>
          <code className="font-mono text-note">{types.join(', ')}</code>
        </Fact>
        <Fact name={t('endpoint.secret')}>
          {secretBeginning === '' ? (
            t('endpoint.secretLost')
          ) : (
            <code className="font-mono">{secretBeginning}…</code>
          )}
          {previousSecretUntil === null ? null : (
            <p className="text-note text-quiet">
              {t('endpoint.previousUntil', { time: shownTime(previousSecretUntil) })}
            </p>
          )}
        </Fact>
        {redelivery === null ? null : (
          <Fact name={t('redelivery.title')}>
            {t(REDELIVERY_WORDS[redelivery.state], { count: redelivery.count })}
            <p className="text-note text-quiet">
              {t('redelivery.range', { from: shownTime(redelivery.from), to: shownTime(redelivery.to) })}
            </p>
          </Fact>
        )}
        <Fact name={t('endpoint.since')}>{shownDay(createdAt)}</Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="grid gap-x-3 gap-y-1 px-3 py-2.5 rows:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
