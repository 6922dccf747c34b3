import { timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AppError } from '@gatehouse/auth-core';
import { type EventRow, findFeedExtent, listEvents } from '@gatehouse/db/queries/events';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import type { Context, Services } from '../core/context.js';
import { EVENT_TYPE_NAMES, type EventType } from './event-types.js';

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

const eventView = z.object({
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
  readonly callerId: number;
  /** The level of a session that reads the events of all accounts. */
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

const waiting = new WeakMap<Services, Map<string, number>>();

/**
 * A page of a feed. With `wait` and nothing to read it looks again until there is something.
 * @throws {AppError} `invalid_cursor`, `cursor_expired`, `rate_limited`; `invalid_input` for an unknown type
 */
export async function readFeed(
  { services, call }: Pick<Context, 'services' | 'call'>,
  feed: Feed,
  { after, types, limit, wait, hidden }: Reading,
): Promise<z.output<typeof feedView>> {
  const { db, limits } = services;
  const key = `events:${feed.scope}:${feed.callerId}`;
  await enforceLimit({ limits }, { key, name: 'events', most: CALLS_A_MINUTE, windowMs: MINUTE_MS });
  const wanted = typesOf(types).filter((type) => hidden === undefined || !type.startsWith(hidden));
  const inTypes = wanted.length === EVENT_TYPE_NAMES.length ? undefined : wanted;
  let extent = await findFeedExtent(db);
  const start = after === undefined ? (extent?.first ?? 1) - 1 : openFeedCursor(services, feed.scope, after);
  if (extent !== undefined && start < extent.first - 1) throw new AppError('cursor_expired');
  const counts = waiting.get(services) ?? new Map<string, number>();
  waiting.set(services, counts);
  const untilMs = performance.now() + wait * 1000;
  const session = feed.level === undefined ? undefined : { level: feed.level, nowMs: services.now() };
  const isWaiting = wait > 0;
  if (isWaiting && (counts.get(key) ?? 0) >= MAX_WAITING)
    throw new AppError('rate_limited', { retryAfterSeconds: MAX_WAIT_SECONDS });
  if (isWaiting) counts.set(key, (counts.get(key) ?? 0) + 1);
  try {
    for (;;) {
      const through = extent?.last ?? start;
      const rows =
        through > start && wanted.length > 0
          ? await listEvents(
              db,
              { audience: feed.audience, types: inTypes, session },
              { after: start, through, limit },
            )
          : [];
      const last = rows.at(-1);
      const isOver = performance.now() >= untilMs || call.facts.hasGone === true;
      if (last !== undefined || isOver) {
        const reached =
          last !== undefined && rows.length === limit ? last.position : Math.max(through, start);
        return {
          data: rows.map((row) => toEventView(row, feed.audience === undefined)),
          nextCursor: sealFeedCursor(services, feed.scope, reached),
        };
      }
      await setTimeout(Math.min(LOOK_AGAIN_MS, Math.max(0, untilMs - performance.now())));
      extent = await findFeedExtent(db);
    }
  } finally {
    if (isWaiting) {
      const rest = (counts.get(key) ?? 1) - 1;
      if (rest === 0) counts.delete(key);
      else counts.set(key, rest);
    }
  }
}

/** @throws {AppError} `invalid_input` for a name that no type has */
function typesOf(names: readonly string[] | undefined): EventType[] {
  if (names === undefined) return [...EVENT_TYPE_NAMES];
  const chosen = new Set<EventType>();
  for (const [index, name] of names.entries()) {
    const found = EVENT_TYPE_NAMES.filter((type) =>
      name.endsWith('.*') ? type.startsWith(name.slice(0, -1)) : type === name,
    );
    if (found.length === 0) {
      const issues = [{ path: `types.${index}`, message: 'There is no type of this name' }];
      throw new AppError('invalid_input', { issues });
    }
    for (const type of found) chosen.add(type);
  }
  return [...chosen];
}

/** Staff have no id outside the deployment. */
function toEventView(row: EventRow, isDeployment: boolean): z.output<typeof eventView> {
  const { actorKind: kind, actorId } = row;
  const showsId = actorId !== null && (isDeployment || kind !== 'staff');
  return {
    id: row.publicId,
    type: row.type,
    version: row.version,
    timestamp: new Date(row.atMs).toISOString(),
    subject: `${row.subjectKind}:${row.subjectId}`,
    subjectVersion: row.subjectVersion,
    accountId: row.accountId,
    actor: showsId ? { kind, id: actorId } : { kind },
    data: row.data,
  };
}

const CURSOR = /^(\d{1,15})\.([0-9a-f]{32})$/;

const CONTEXT = 'eventCursor';

function macsOf({ cipher }: Services, scope: string, position: number): string[] {
  return cipher.digests(`${scope}:${position}`, CONTEXT).map((mac) => mac.slice(0, 32));
}

function sealFeedCursor(services: Services, scope: string, position: number): string {
  return `${position}.${macsOf(services, scope, position)[0] ?? ''}`;
}

/** @throws {AppError} `invalid_cursor` for one that was altered, or is of another feed */
function openFeedCursor(services: Services, scope: string, cursor: string): number {
  const [, digits = '', mac = ''] = CURSOR.exec(cursor) ?? [];
  const position = Number(digits);
  const given = Buffer.from(mac);
  const isOurs =
    digits !== '' &&
    macsOf(services, scope, position).some((known) => timingSafeEqual(Buffer.from(known), given));
  if (!isOurs) throw new AppError('invalid_cursor');
  return position;
}
