import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, primary, unique } from '../dialect/table-indexes.js';

/** Which row counts the versions of an event's subject. */
export type EventSubjectKind = 'member' | 'account' | 'endpoint';

/** Who caused an event. */
export type EventActorKind = 'member' | 'staff' | 'machine' | 'agent' | 'partner' | 'scim' | 'system';

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

/**
 * A `pending` endpoint has not answered a ping yet, a `live` one gets events, and a `disabled` one gets none until somebody
 * resumes it.
 */
export type EndpointState = 'pending' | 'live' | 'disabled';

/** Why an endpoint was disabled: it answered 410, it failed for days, or too many events wait for it. */
export type EndpointFault = 'gone' | 'failing' | 'backlog';

/** The deliveries of an endpoint between two moments that are queued again, a part at a time. */
export interface Redelivery {
  readonly fromMs: number;
  readonly toMs: number;
  /** `stopped` if the endpoint was switched off or disabled during it. */
  readonly state: 'running' | 'done' | 'stopped';
  /** How many are queued again. */
  readonly count: number;
  /** The last of them. */
  readonly lastId: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
}

/** Addresses of programs that events are sent to. */
export const defineEventEndpoints = (v: Vocabulary) =>
  v.table(
    'event_endpoints',
    {
      id: v.id(),
      /** Whose events it gets: `account:3`, `partner:2`, or `deployment`. */
      scope: v.key(32),
      /** The account of the scope, if it is one. */
      accountId: v.maybe.reference(),
      /** The partner of the scope, if it is one. */
      partnerId: v.maybe.reference(),
      url: v.string(1000),
      types: v.json<string[]>(),
      description: v.string(200),
      active: v.flag(),
      state: v.string<EndpointState>(16),
      fault: v.maybe.string<EndpointFault>(16),
      /**
       * The level of the session that saved it, or of partners: events of accounts that require more are not sent to endpoints of
       * the deployment and of partners.
       */
      level: v.integer(),
      /** Who saved it last; 0 for a partner. */
      savedById: v.reference(),
      secret: v.secret(),
      /** The secret before the last rotation, which signs too until then. */
      previousSecret: v.maybe.secret(),
      previousUntilMs: v.maybe.instant(),
      /** The place in the feed up to which events are queued for the endpoint. */
      position: v.reference(),
      /** Failed attempts since the last success. */
      failures: v.integer().default(0),
      failingSinceMs: v.maybe.instant(),
      /** When its managers were notified that it fails. */
      notifiedAtMs: v.maybe.instant(),
      lastSuccessAtMs: v.maybe.instant(),
      /** The last time that deliveries between two moments were sent again. */
      redelivery: v.maybe.json<Redelivery>(),
      isRedelivering: v.flag().default(false),
      eventVersion: v.integer().default(0),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [index('lists the endpoints of an account', 'scope', 'id')],
  );

/** A `pending` delivery waits or is under way, a `failed` one is given up, and a `skipped` one may not be sent any more. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'skipped';

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  readonly atMs: number;
  readonly ms: number;
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly error: string | null;
  /** The beginning of the answer, in printable ASCII. */
  readonly answer: string;
}

/** Events on their way to endpoints. Their content stays in `events`. */
export const defineEventDeliveries = (v: Vocabulary) =>
  v.table(
    'event_deliveries',
    {
      id: v.id(),
      endpointId: v.reference(),
      /** The place of the event in the feed. */
      position: v.reference(),
      eventId: v.string(32),
      type: v.string(64),
      /** `member:3`: the events of one subject are sent in order. */
      subject: v.key(64),
      state: v.string<DeliveryState>(16),
      /** Failed attempts since it was queued, or queued again. */
      failures: v.integer().default(0),
      /** The latest attempts, oldest first. */
      attempts: v.json<DeliveryAttempt[]>(),
      /** When it was queued, or queued again. */
      queuedAtMs: v.instant(),
      dueAtMs: v.instant(),
      leaseToken: v.maybe.string(64),
      deliveredAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
    },
    [
      unique('queues an event once for an endpoint', 'endpointId', 'position'),
      index('claims the deliveries that are due', 'endpointId', 'state', 'dueAtMs'),
      index(
        'lets an event wait for the earlier ones of its subject',
        'endpointId',
        'state',
        'subject',
        'position',
      ),
      index('lists the deliveries of an endpoint', 'endpointId', 'id'),
      index('counts those that wait', 'state', 'createdAtMs'),
      index('removes old deliveries', 'createdAtMs'),
    ],
  );
