import { usePages } from '@gatehouse/ui/list/paged-list';
import { EventsCard as Events } from '@gatehouse/ui/security/event-list';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { eventText, type SecurityEvent } from './event-words.js';
import { t } from './words.js';

const LATEST = 10;

/** The security events of the person signed in. */
export function EventsCard(): ReactElement {
  const events = usePages<SecurityEvent>(['you', 'events'], (page, signal) =>
    gatehouse.api.securityEvent.listMine.query({ ...page, limit: LATEST }, { signal }),
  );
  return (
    <Events
      title={t('events.title')}
      events={events}
      textOf={eventText}
      actorOf={({ name }) => <bdi>{name ?? t('events.nobody')}</bdi>}
    />
  );
}
