import { deviceName } from '@gatehouse/ui/list/device-name';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { eventText, type SecurityEvent } from './event-words.js';
import { t } from './words.js';

const LATEST = 10;

/** What happened to the security of whoever is signed in. */
export function EventsCard(): ReactElement {
  const events = usePages<SecurityEvent>(['you', 'events'], (page, signal) =>
    gatehouse.api.securityEvent.listMine.query({ ...page, limit: LATEST }, { signal }),
  );
  return (
    <Card title={t('events.title')}>
      <QueryView answer={events} isPart>
        {(rows) => (
          <>
            {rows.length === 0 ? <p className="p-3 text-quiet">{t('events.none')}</p> : null}
            <ul className="divide-y divide-line">
              {rows.map((event) => (
                <Row key={event.id} event={event} />
              ))}
            </ul>
            <More of={events} />
          </>
        )}
      </QueryView>
    </Card>
  );
}

function Row({ event }: { readonly event: SecurityEvent }): ReactElement {
  const { at, outcome, address, device, times, actor } = event;
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 px-3 py-2 rows:grid-cols-[1rem_10rem_minmax(0,1fr)]">
      <span className="pt-0.5">
        <StatusIcon tone={outcome === 'ok' ? 'ok' : 'error'} />
      </span>
      <p className="text-quiet">
        <time dateTime={at}>{shownTime(at)}</time>
      </p>
      <div className="col-start-2 min-w-0 rows:col-start-3">
        <p>
          {eventText(event)}
          {times > 1 ? ` ${t('events.times', { count: times })}` : null}
        </p>
        {address === null && device === null ? null : (
          <p className="text-quiet wrap-anywhere">
            {device === null ? null : deviceName(device)}
            {device === null || address === null ? null : ', '}
            {address === null ? null : <bdi>{address}</bdi>}
          </p>
        )}
        {actor === null ? null : (
          <p className="text-quiet">
            {t('events.actor')} <bdi>{actor.name ?? t('events.nobody')}</bdi>
          </p>
        )}
      </div>
    </li>
  );
}
