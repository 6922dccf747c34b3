import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { More } from '@gatehouse/ui/list/more';
import { RowAction } from '@gatehouse/ui/list/row-action';
import { usePages } from '@gatehouse/ui/list/use-pages';
import { Card } from '@gatehouse/ui/parts/card';
import { Asked } from '@gatehouse/ui/screen/asked';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';

type Session = AdminOutputs['session']['list']['data'][number];

const KEY = ['me', 'sessions'] as const;

/** Where somebody is signed in, this browser among them. */
export function OwnSessionsCard({
  onNotice,
}: {
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const list = usePages<Session>(KEY, (page, signal) => gatehouse.api.session.list.query(page, { signal }));

  function end(work: (signal: AbortSignal) => Promise<unknown>, notice: string): void {
    onNotice(undefined);
    mutation.send(async (signal) => {
      await work(signal);
      await queries.invalidateQueries({ queryKey: KEY });
      onNotice(notice);
    });
  }

  const { session: api } = gatehouse.api;
  const hasOthers = (list.data ?? []).some(({ isCurrent }) => !isCurrent);
  return (
    <Card
      title={t('own.sessions')}
      aside={
        hasOthers ? (
          <RowAction
            isGrave
            isBusy={mutation.isBusy}
            onClick={() =>
              end((signal) => api.endMany.mutate({ others: true }, { signal }), t('own.othersEnded'))
            }
          >
            {t('own.endOthers')}
          </RowAction>
        ) : null
      }
    >
      {mutation.failure === undefined ? null : (
        <div className="p-3">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      <Asked answer={list} isPart>
        {(sessions) => (
          <>
            <ul className="divide-y divide-line">
              {sessions.map(({ id, device, deviceName: given, address, lastSeenAt, isCurrent }) => {
                const name = given ?? deviceName(device);
                return (
                  <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 p-3">
                    <div className="min-w-0 wrap-anywhere">
                      <p>
                        <bdi className="font-semibold">{name}</bdi>
                        {isCurrent ? <span className="text-moss">, {t('own.here')}</span> : null}
                      </p>
                      <p className="text-quiet">
                        <bdi className="font-mono">{address}</bdi>,{' '}
                        {t('sessions.seen', { time: shownTime(lastSeenAt) })}
                      </p>
                    </div>
                    {isCurrent ? null : (
                      <RowAction
                        about={name}
                        isGrave
                        isBusy={mutation.isBusy}
                        onClick={() =>
                          end(
                            (signal) => api.endMany.mutate({ sessionId: id }, { signal }),
                            t('sessions.ended', { name }),
                          )
                        }
                      >
                        {t('sessions.end')}
                      </RowAction>
                    )}
                  </li>
                );
              })}
            </ul>
            <More of={list} />
          </>
        )}
      </Asked>
    </Card>
  );
}
