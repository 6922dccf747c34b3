import type { Database } from '@gatehouse/db';

/** So many times in a window, counted by all nodes together. */
export interface Limit {
  /** Names the counter, at most 255 characters. */
  readonly key: string;
  /** What the client is told the limit is called. */
  readonly name?: string;
  readonly most: number;
  /** Whole seconds, in milliseconds. */
  readonly windowMs: number;
}

/** Whether a point was left; where none was, the milliseconds until the window ends. */
export type Taken = { readonly isAllowed: true } | { readonly isAllowed: false; readonly endsInMs: number };

/**
 * Where the counts live that all nodes share. A `tx` is the transaction that the caller is in: a store in the database
 * counts as part of it, another one at once and whether or not it commits.
 */
export interface LimitStore {
  /** Takes one point; of any number of takers at once no more than `most` succeed in a window. */
  consume(limit: Limit, tx?: Database): Promise<Taken>;
  /** Gives a point back, for counters that only count what failed. */
  refund(limit: Limit): Promise<void>;
  /** Forgets every counter whose key starts with a text; returns how many there were. */
  remove(prefix: string, tx?: Database): Promise<number>;
  /** Whether the counts are shared with the other nodes just now. */
  isShared(): boolean;
  close(): Promise<void>;
}
