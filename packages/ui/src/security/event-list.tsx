import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { deviceName } from '../list/device-name.js';
import { More } from '../list/paged-list.js';
import { Card } from '../parts/card.js';
import { StatusIcon } from '../parts/icons.js';
import { Ago } from '../screen/ago.js';
import { type Answer, QueryView } from '../screen/asked.js';
import { t } from './words.js';

/** Something that happened to the security of a member. */
export interface ListedEvent {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly outcome: 'ok' | 'failed' | 'locked';
  readonly address: string | null;
  readonly device: string | null;
  readonly times: number;
  /** Who did it, if it was not the member. */
  readonly actor: { readonly userId: number; readonly name: string | null } | null;
}

/** Failures in a session of the member, such as a mistyped code. Nobody tried to sign in. */
const isOwnMistake = (kind: string): boolean => kind === 'factor.setup' || kind === 'verification';

/** What happened to the security of a member in the last 90 days, newest first. */
export function EventsCard<Event extends ListedEvent>({
  title,
  events,
  textOf,
  actorOf,
}: {
  readonly title: string;
  readonly events: Answer<readonly Event[]> & ComponentProps<typeof More>['of'];
  readonly textOf: (event: Event) => ReactNode;
  readonly actorOf: (actor: NonNullable<Event['actor']>) => ReactNode;
}): ReactElement {
  return (
    <Card title={title}>
      <QueryView answer={events} isPart>
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <p role="status" className="p-3 text-quiet">
                {t('events.none')}
              </p>
            ) : null}
            <ul className="divide-y divide-line">
              {rows.map((event) => (
                <Row key={event.id} event={event} text={textOf(event)}>
                  {event.actor === null ? null : actorOf(event.actor)}
                </Row>
              ))}
            </ul>
            <More of={events} />
          </>
        )}
      </QueryView>
    </Card>
  );
}

function Row({
  event: { at, kind, outcome, address, device, times },
  text,
  children: actor,
}: {
  readonly event: ListedEvent;
  readonly text: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <li className="grid gap-x-3 px-3 py-2 rows:grid-cols-[minmax(0,1fr)_max-content]">
      <p className="text-quiet rows:col-start-2 rows:row-start-1">
        <Ago at={at} />
      </p>
      <div className="min-w-0 wrap-anywhere">
        <p className="flex items-start gap-2">
          {outcome === 'ok' ? null : (
            <span className="pt-0.5">
              <StatusIcon tone={isOwnMistake(kind) ? 'pending' : 'error'} />
            </span>
          )}
          <span className="min-w-0">
            {text}
            {times > 1 ? ` ${t('events.times', { count: times })}` : null}
          </span>
        </p>
        {address === null && device === null ? null : (
          <p className="text-quiet">
            {device === null ? null : deviceName(device)}
            {device === null || address === null ? null : ', '}
            {address === null ? null : <bdi className="font-mono">{address}</bdi>}
          </p>
        )}
        {actor === null ? null : (
          <p className="text-quiet">
            {t('events.actor')} {actor}
          </p>
        )}
      </div>
    </li>
  );
}
