import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, primary, unique } from '../dialect/table-indexes.js';

/** Which row counts the versions of an event's subject. */
export type EventSubjectKind = 'member' | 'account';

/** Who caused an event. */
export type EventActorKind = 'member' | 'staff' | 'partner' | 'system';

/** The accounts and partners that may read an event. The deployment may read all. */
export interface EventAudience {
  readonly accounts: readonly number[];
  readonly partners: readonly number[];
}

/** What happened, for programs: each row is written in the transaction of its change. */
export const defineEvents = (v: Vocabulary) =>
  v.table(
    'events',
    {
      id: v.id(),
      /** The id that readers see, `evt_` and 24 characters. */
      publicId: v.string(32),
      /** Its place in the feed, given after the commit; null until then. Ids become visible out of order. */
      position: v.maybe.reference(),
      type: v.string(64),
      version: v.integer(),
      atMs: v.instant(),
      subjectKind: v.string<EventSubjectKind>(16),
      subjectId: v.reference(),
      /** The number of events of the subject up to this one. */
      subjectVersion: v.integer(),
      accountId: v.maybe.reference(),
      actorKind: v.string<EventActorKind>(16),
      actorId: v.maybe.reference(),
      data: v.json<Record<string, unknown>>(),
      audience: v.json<EventAudience>(),
    },
    [
      unique('reads the feed in order, and finds the events that have no place in it yet', 'position'),
      index('removes the events about a member who is erased', 'subjectKind', 'subjectId', 'id'),
    ],
  );

/** In whose feeds an event is: `account:3`, `partner:2`. */
export const defineEventAudiences = (v: Vocabulary) =>
  v.table('event_audiences', { audience: v.key(32), position: v.reference() }, [
    primary('reads one feed in order', 'audience', 'position'),
    index('removes the entries of old events', 'position'),
  ]);
