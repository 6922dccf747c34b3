import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { addToLimit, consumeLimit, findLimit, refundLimit, removeLimits } from '@gatehouse/db/queries/limits';

/** A number of uses per window, counted by all nodes together. */
export interface Limit {
  /** Names the counter, at most 255 characters. */
  readonly key: string;
  /** The name of the limit in answers. */
  readonly name?: string;
  readonly most: number;
  /** Whole seconds, in milliseconds. */
  readonly windowMs: number;
}

/** Whether a point was left. If not, the milliseconds until the window ends. */
type Taken = { readonly isAllowed: true } | { readonly isAllowed: false; readonly endsInMs: number };

/**
 * The store of the counts that all nodes share. `tx` is the caller's transaction: in the database store a
 * count is part of it, in other stores it takes effect at once, even if the transaction rolls back.
 */
export interface LimitStore {
  /** Takes one point. At most `most` of any number of concurrent calls succeed in a window. */
  consume(limit: Limit, tx?: Database): Promise<Taken>;
  /**
   * Adds points to a counter without a limit. Resolves to its points in this window, of all nodes; undefined if none were added,
   * because the store is down.
   */
  add(counter: Pick<Limit, 'key' | 'windowMs'>, points: number): Promise<number | undefined>;
  /** Returns a point to each, for counters that only count failures. */
  refund(limits: readonly Limit[], tx?: Database): Promise<void>;
  /**
   * Counts several things that need no common outcome: with `Database.together` if the counters are in the database. Others are
   * not waited for while the database is locked.
   */
  together<Result>(db: Database, body: (tx: Database) => Promise<Result>): Promise<Result>;
  /** When the window of a used-up counter ends, in milliseconds from now. Undefined while points are left. Takes none. */
  usedUpFor(limit: Pick<Limit, 'key' | 'most'>): Promise<number | undefined>;
  /** Deletes every counter whose key starts with a text. Returns how many there were. */
  remove(prefix: string, tx?: Database): Promise<number>;
  /** Whether the counts are currently shared with the other nodes. */
  isShared(): boolean;
  close(): Promise<void>;
}

/**
 * Counts once, in the caller's transaction if there is one.
 * @throws {AppError} `rate_limited`, with the seconds until the window ends, if the limit is exceeded
 */
export async function enforceLimit(
  services: { readonly limits: Pick<LimitStore, 'consume'> },
  limit: Limit,
  tx?: Parameters<LimitStore['consume']>[1],
): Promise<void> {
  const refusal = await countPoint(services, limit, tx);
  if (refusal) throw refusal;
}

/** As `enforceLimit`, but returns the refusal, for a transaction that keeps what it counted. */
export async function countPoint(
  { limits }: { readonly limits: Pick<LimitStore, 'consume'> },
  limit: Limit,
  tx?: Parameters<LimitStore['consume']>[1],
): Promise<AppError | undefined> {
  const consumed = await limits.consume(limit, tx);
  if (consumed.isAllowed) return undefined;
  return new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(consumed.endsInMs / 1000)),
    policy: { name: limit.name ?? 'default', quota: limit.most, windowSeconds: limit.windowMs / 1000 },
  });
}

/** Counts in the database with conditional updates, so nodes share limits without another service. */
export function createDatabaseLimits(db: Database, now: () => number): LimitStore {
  return {
    async consume(limit, tx = db) {
      const nowMs = now();
      if (await consumeLimit(tx, { ...limit, nowMs })) return { isAllowed: true };
      const endsAtMs = (await findLimit(tx, limit.key))?.endsAtMs ?? nowMs + limit.windowMs;
      return { isAllowed: false, endsInMs: endsAtMs - nowMs };
    },
    add: ({ key, windowMs }, points) => addToLimit(db, { key, points, windowMs, nowMs: now() }),
    async refund(limits, tx = db) {
      const keys = limits.map(({ key }) => key).toSorted();
      for (let at = 0; at < keys.length; at += 2)
        await refundLimit(tx, { key: keys[at] ?? '', other: keys[at + 1], nowMs: now() });
    },
    together: (within, body) => within.together(body),
    async usedUpFor({ key, most }) {
      const { points = 0, endsAtMs } = (await findLimit(db, key)) ?? {};
      const leftMs = (endsAtMs ?? 0) - now();
      return points >= most && leftMs > 0 ? leftMs : undefined;
    },
    remove: (prefix, tx = db) => removeLimits(tx, prefix),
    isShared: () => true,
    close: () => Promise.resolve(),
  };
}
