import type { Database } from '@gatehouse/db/database';

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
export type Taken = { readonly isAllowed: true } | { readonly isAllowed: false; readonly endsInMs: number };

/**
 * The store of the counts that all nodes share. `tx` is the caller's transaction: in the database store a
 * count is part of it, in other stores it takes effect at once, even if the transaction rolls back.
 */
export interface LimitStore {
  /** Takes one point. At most `most` of any number of concurrent calls succeed in a window. */
  consume(limit: Limit, tx?: Database): Promise<Taken>;
  /** Returns a point to each, for counters that only count failures. */
  refund(limits: readonly Limit[], tx?: Database): Promise<void>;
  /**
   * Counts several things that need no common outcome: with `Database.together` where the counters are in the database.
   * Others are not waited for while the database is locked.
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
