import { setTimeout } from 'node:timers/promises';
import { AppError, SealedDataRefused } from '@gatehouse/auth-core';
import { type EventRow, findFeedEnd, findFeedStart, listEvents } from '@gatehouse/db/queries/events';
import type { RestRequest } from '@gatehouse/http/rest/route';
import type { Call } from '@gatehouse/http/server/http-call';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import type { Context, Services } from '../core/context.js';
import type { GatehouseEvent } from './event.js';
import { EVENT_TYPE_NAMES, typesOf } from './event-types.js';

const MAX_EVENTS = 500;

const MAX_WAIT_SECONDS = 25;

/** How often a waiting call looks again. */
const LOOK_AGAIN_MS = 500;

/** How many calls of one caller may wait at a time. */
const MAX_WAITING = 2;

const MINUTE_MS = 60_000;

const CALLS_A_MINUTE = 120;

/** The input of every feed. */
export const feedInput = z
  .object({
    /** The `nextCursor` of the page before; without it, the oldest event that is kept. */
    after: z.string().max(200).optional(),
    /** Names of types, or `member.*` for all of one kind. */
    types: z.array(z.string().max(64)).min(1).max(50).optional(),
    limit: z.int().min(1).max(MAX_EVENTS).default(100),
    /** How many seconds to wait for an event if there is none. */
    wait: z.int().min(0).max(MAX_WAIT_SECONDS).default(0),
  })
  .prefault({});

/** The input in a query string. */
export const feedIn = ({ fields }: RestRequest) => ({
  after: fields['after'],
  types: fields['types'],
  limit: fields['limit'],
  wait: fields['wait'],
});

const storedEvent = z.object({
  id: z.string(),
  type: z.string(),
  version: z.int(),
  timestamp: z.iso.datetime(),
  subject: z.string(),
  subjectVersion: z.int(),
  accountId: z.int().nullable(),
  actor: z.object({ kind: z.string(), id: z.int().optional() }),
  data: z.record(z.string(), z.unknown()),
});

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the writer has made the data by the schema of the type
const eventView = storedEvent as z.ZodType as z.ZodType<GatehouseEvent>;

/** A page of a feed. */
export const feedView = z.object({
  data: z.array(eventView),
  /** Where the next page begins. It is never null: ask again with it later. */
  nextCursor: z.string(),
});

/** Whose feed is read. */
interface Feed {
  /** Names the scope in cursors: a cursor of one feed opens no other. */
  readonly scope: string;
  /** Undefined for all events. */
  readonly audience: string | undefined;
  /** Whose calls are counted: a member's, or a partner's. */
  readonly callerId: number | `partner:${number}`;
  /** The level of a session that reads the events of several accounts. */
  readonly level?: number;
}

interface Reading {
  readonly after?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly limit: number;
  readonly wait: number;
  /** The kind of types that the caller may not read. */
  readonly hidden: string | undefined;
}

/** How many calls of each caller wait at this node. */
const waiting = new WeakMap<Services, Map<Feed['callerId'], number>>();

/**
 * A page of a feed. With `wait` and nothing to read it looks again until there is something.
 * @throws {AppError} `invalid_cursor`, `cursor_expired`, `rate_limited`; `invalid_input` for an unknown type
 */
export async function readFeed(
  ctx: Pick<Context, 'services' | 'call'>,
  feed: Feed,
  { after, types, limit, wait, hidden }: Reading,
): Promise<z.output<typeof feedView>> {
  const { services } = ctx;
  const { db, limits } = services;
  const key = `events:${feed.callerId}`;
  await enforceLimit({ limits }, { key, name: 'events', most: CALLS_A_MINUTE, windowMs: MINUTE_MS });
  const wanted = (types === undefined ? EVENT_TYPE_NAMES : typesOf(types)).filter(
    (type) => hidden === undefined || !type.startsWith(hidden),
  );
  const inTypes = wanted.length === EVENT_TYPE_NAMES.length ? undefined : wanted;
  const list = async (start: number, through: number) =>
    wanted.length === 0
      ? []
      : listEvents(
          db,
          {
            audience: feed.audience,
            types: inTypes,
            session: feed.level === undefined ? undefined : { level: feed.level, nowMs: services.now() },
          },
          { after: start, through, limit },
        );
  let place = after === undefined ? undefined : openFeedCursor(services, feed.scope, after);
  const isOver = waitOf(ctx, wait);
  const leave = wait > 0 ? enterWait(services, feed.callerId) : undefined;
  try {
    for (let end = await findFeedEnd(db); ; end = await nextEnd(services)) {
      const through = end ?? place ?? 0;
      const isNew = through > (place ?? 0);
      const rows = isNew ? await list(place ?? 0, through) : [];
      // After the list, so that nothing was removed between the two.
      if (isNew && place !== undefined && place < ((await findFeedStart(db)) ?? 1) - 1)
        throw new AppError('cursor_expired');
      const last = rows.at(-1);
      place = last !== undefined && rows.length === limit ? last.position : Math.max(through, place ?? 0);
      if (last !== undefined || isOver()) {
        return {
          data: rows.map((row) => toEventView(row, feed.audience === undefined)),
          nextCursor: sealFeedCursor(services, feed.scope, place),
        };
      }
    }
  } finally {
    leave?.();
  }
}

/** The next look of each node at the end of the feed. */
const looks = new WeakMap<Services, Promise<number | undefined>>();

/** The end of the feed a while from now. All calls that wait at this node look once, so that many cost no more than one. */
function nextEnd(services: Services): Promise<number | undefined> {
  const known = looks.get(services);
  if (known !== undefined) return known;
  const look = setTimeout(LOOK_AGAIN_MS).then(() => {
    looks.delete(services);
    return findFeedEnd(services.db);
  });
  looks.set(services, look);
  return look;
}

const waitEnds = new WeakMap<Call, number>();

/** Whether a call has waited long enough. The guard may repeat it, which does not begin the wait again. */
function waitOf({ services, call }: Pick<Context, 'services' | 'call'>, seconds: number): () => boolean {
  const untilMs = waitEnds.get(call) ?? performance.now() + seconds * 1000;
  waitEnds.set(call, untilMs);
  return () =>
    performance.now() >= untilMs || call.facts.hasGone === true || services.stopping.signal.aborted;
}

/** @throws {AppError} `rate_limited` if the maximum number of the caller's calls wait */
function enterWait(services: Services, callerId: Feed['callerId']): () => void {
  const counts = waiting.get(services) ?? new Map<Feed['callerId'], number>();
  waiting.set(services, counts);
  const before = counts.get(callerId) ?? 0;
  if (before >= MAX_WAITING) throw new AppError('rate_limited', { retryAfterSeconds: MAX_WAIT_SECONDS });
  counts.set(callerId, before + 1);
  return () => {
    const rest = (counts.get(callerId) ?? 1) - 1;
    if (rest === 0) counts.delete(callerId);
    else counts.set(callerId, rest);
  };
}

/**
 * An event as readers and endpoints get it. Outside the deployment staff have no id, and neither has a directory that changed a
 * member: other accounts of the member have the event too.
 */
export function toEventView(row: EventRow, isDeployment: boolean): GatehouseEvent {
  const { accountId, actorKind: kind, actorId } = row;
  const isHidden = kind === 'staff' || (kind === 'scim' && accountId === null);
  const showsId = actorId !== null && (isDeployment || !isHidden);
  const event: z.output<typeof storedEvent> = {
    id: row.publicId,
    type: row.type,
    version: row.version,
    timestamp: new Date(row.atMs).toISOString(),
    subject: `${row.subjectKind}:${row.subjectId}`,
    subjectVersion: row.subjectVersion,
    accountId,
    actor: showsId ? { kind, id: actorId } : { kind },
    data: row.data,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the writer has made the data by the schema of the type
  return event as { readonly data: unknown } as GatehouseEvent;
}

const contextOf = (scope: string): string => `eventCursor:${scope}`;

/** Readers do not see the place, which says how many events there are in the whole deployment. */
function sealFeedCursor({ cipher }: Services, scope: string, position: number): string {
  return cipher.seal(String(position), contextOf(scope));
}

/** @throws {AppError} `invalid_cursor` for one that was altered, or is of another feed */
function openFeedCursor({ cipher }: Services, scope: string, cursor: string): number {
  try {
    return Number(cipher.open(cursor, contextOf(scope)));
  } catch (error) {
    if (error instanceof SealedDataRefused) throw new AppError('invalid_cursor');
    throw error;
  }
}
