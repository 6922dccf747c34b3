import type { MainOutputs } from '@gatehouse/client-sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { FailureNote } from '../form/form.js';
import { SelectField } from '../form/select-field.js';
import { More, usePages } from '../list/paged-list.js';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import { Chevron, RowMark, type StatusTone } from '../parts/icons.js';
import { Ago } from '../screen/ago.js';
import { QueryView } from '../screen/asked.js';
import { withReauth } from '../session/with-reauth.js';
import { type DeliverySearch, type DeliveryState, deliveryStateOf } from './delivery-search.js';
import { useEventTypes } from './endpoint-data.js';
import { answerText } from './endpoint-status.js';
import { usePrograms } from './programs.js';
import { t } from './words.js';

type Delivery = MainOutputs['eventDelivery']['list']['data'][number];

const STATES = {
  delivered: { words: 'delivery.delivered', tone: 'ok' },
  pending: { words: 'delivery.pending', tone: 'pending' },
  failed: { words: 'delivery.failed', tone: 'error' },
  skipped: { words: 'delivery.skipped', tone: 'pending' },
} as const satisfies Record<DeliveryState, { words: string; tone: StatusTone }>;

/** What was sent to an endpoint, newest first. */
export function Deliveries({
  endpointId,
  search: filter,
  onSearch,
  onNotice,
}: {
  readonly endpointId: number;
  /** Which part of it. */
  readonly search: DeliverySearch;
  readonly onSearch: (search: DeliverySearch) => void;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePrograms();
  const { data: types = [] } = useEventTypes();
  const { state, type } = filter;
  const list = usePages(
    [...key, 'deliveries', endpointId, filter],
    (page, signal) => api.eventDelivery.list.query({ ...page, endpointId, ...filter }, { signal }),
    { keepsPrevious: true },
  );
  const isFiltered = state !== undefined || type !== undefined;
  return (
    <Card
      title={t('deliveries.title')}
      aside={
        <Button isSmall isBusy={list.isRefetching} onClick={() => void list.refetch()}>
          {t('deliveries.refresh')}
        </Button>
      }
    >
      <div className="grid gap-3 border-b border-line p-3 rows:grid-cols-2">
        <SelectField
          name="state"
          label={t('deliveries.state')}
          choices={[
            { value: '', label: t('deliveries.anyState') },
            ...Object.entries(STATES).map(([value, { words }]) => ({ value, label: t(words) })),
          ]}
          value={state ?? ''}
          onChange={(value) => {
            const chosen = deliveryStateOf(value);
            onSearch({
              ...(chosen === undefined ? {} : { state: chosen }),
              ...(type === undefined ? {} : { type }),
            });
          }}
        />
        <SelectField
          name="type"
          label={t('deliveries.type')}
          choices={[
            { value: '', label: t('deliveries.anyType') },
            ...types.map((value) => ({ value, label: value })),
          ]}
          value={type ?? ''}
          onChange={(value) =>
            onSearch({ ...(state === undefined ? {} : { state }), ...(value === '' ? {} : { type: value }) })
          }
        />
      </div>
      <QueryView answer={list} isPart>
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <div role="status" className="flex flex-wrap items-center justify-between gap-3 p-3">
                <p className="text-quiet">{t(isFiltered ? 'deliveries.noMatch' : 'deliveries.none')}</p>
                {isFiltered ? <Button onClick={() => onSearch({})}>{t('deliveries.clear')}</Button> : null}
              </div>
            ) : null}
            <ul className="divide-y divide-line">
              {rows.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} onNotice={onNotice} />
              ))}
            </ul>
            <More of={list} />
          </>
        )}
      </QueryView>
    </Card>
  );
}

function Row({
  delivery: { id, type, state, httpStatus, createdAt, nextAttemptAt },
  onNotice,
}: {
  readonly delivery: Delivery;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const detail = useId();
  const { words, tone } = STATES[state];
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? detail : undefined}
        onClick={() => setOpen(!isOpen)}
        className="grid w-full cursor-pointer grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-3 px-3 py-2.5 text-start hover:bg-well focus-visible:-outline-offset-2"
      >
        <span className="pt-0.5">
          <RowMark tone={tone} />
        </span>
        <span className="flex min-w-0 flex-col gap-1 wrap-anywhere">
          <code className="font-mono">{type}</code>
          <span className="text-note text-quiet">
            {t(words)}
            {httpStatus === null ? '' : ` · ${t('delivery.answer', { status: String(httpStatus) })}`}
            {' · '}
            <Ago at={createdAt} />
            {nextAttemptAt === null ? null : (
              <>
                {' · '}
                {t('delivery.next')} <Ago at={dueAt(nextAttemptAt)} />
              </>
            )}
          </span>
        </span>
        <span className="pt-0.5">
          <Chevron isOpen={isOpen} />
        </span>
      </button>
      {isOpen ? (
        <div id={detail} className="px-3 pt-2 pb-3 ps-10">
          <Detail deliveryId={id} onNotice={onNotice} />
        </div>
      ) : null}
    </li>
  );
}

/** An attempt that is due, or waits for an earlier event, is made as soon as possible. */
const dueAt = (at: string): string => (Date.parse(at) < Date.now() ? new Date().toISOString() : at);

/** The attempts to deliver an event, and a button for another. */
function Detail({
  deliveryId,
  onNotice,
}: {
  readonly deliveryId: number;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const detail = useQuery({
    queryKey: [...key, 'deliveries', 'detail', deliveryId],
    queryFn: async ({ signal }) => (await api.eventDelivery.detail.query({ deliveryId }, { signal })).data,
  });
  const again = (): void =>
    mutation.send(async (signal) => {
      await withReauth(() => api.eventDelivery.redeliver.mutate({ ids: [deliveryId] }, { signal }));
      onNotice(t('delivery.sentAgain'));
      await queries.invalidateQueries({ queryKey: [...key, 'deliveries'] });
    });
  return (
    <QueryView answer={detail} isPart>
      {({ eventId, subject, attempts }) => (
        <div className="flex flex-col gap-3">
          <p className="font-mono text-note wrap-anywhere">
            {eventId} · {subject}
          </p>
          {attempts.length === 0 ? (
            <p className="text-quiet">{t('delivery.noAttempt')}</p>
          ) : (
            <ol className="flex flex-col gap-3">
              {[...attempts].reverse().map(({ at, ms, httpStatus, error, answer }) => (
                <li key={at} className="flex flex-col gap-1 border-s-3 border-line ps-3">
                  <p>{answerText({ httpStatus, ms, error })}</p>
                  <p className="text-note text-quiet">
                    <Ago at={at} />
                  </p>
                  {answer === '' ? null : (
                    <pre
                      className="bg-well p-2 font-mono text-note whitespace-pre-wrap wrap-anywhere"
                      translate="no"
                    >
                      {answer}
                    </pre>
                  )}
                </li>
              ))}
            </ol>
          )}
          {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
          <div>
            <Button isBusy={mutation.isBusy} onClick={again}>
              {t('delivery.sendAgain')}
            </Button>
          </div>
        </div>
      )}
    </QueryView>
  );
}
