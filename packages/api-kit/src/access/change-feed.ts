import {
  ACCESS_CHANGE_PAGE,
  type AccessChange,
  type Database,
  latestAccessChange,
  listAccessChanges,
} from '@gatehouse/db';

export interface ChangeFeed {
  /** Reads what is new and reports it. Must not be called again before it has settled. */
  read(): Promise<void>;
}

export interface ChangeFeedOptions {
  /** The longest a transaction may last, in milliseconds. */
  longestTransactionMs: number;
  /** Monotonic milliseconds. */
  monotonicNow: () => number;
  /** Epoch milliseconds: they go on while a machine is suspended, and monotonic ones need not. */
  now: () => number;
  onChange: (change: AccessChange) => void;
  /** Called when changes may have been missed: everything remembered must be forgotten. */
  onLost: () => void;
}

/** Rows of the log may be removed after this long, so a reader that slept for half of it starts over. */
export const CHANGE_RETENTION_MS = 60 * 60 * 1000;

/** How far below the highest id a transaction that began before our first look may still surface. */
const FIRST_LOOK_BACK = 1_000;

/** With more gaps than this, forgetting everything at each read is cheaper than asking for them. */
const MOST_GAPS = 2_000;

/**
 * Follows the append-only change log by its ids. Auto-increment ids become visible out of order, so each
 * read asks for the ids above the highest seen and for the gaps below it; a gap is dropped only after the
 * longest time a transaction may last. Applying a change twice is harmless.
 */
export function createChangeFeed(db: Database, options: ChangeFeedOptions): ChangeFeed {
  const gaps = new Map<number, number>();
  let highest: number | undefined;
  let lastReadAt = { monotonic: 0, wall: 0 };
  let uncertainUntil = Number.NEGATIVE_INFINITY;
  let hasFailed = false;

  /** The embedded database has one writer at a time: its ids appear in order and leave no gap to fill. */
  function noteGaps(from: number, to: number, now: number): void {
    if (db.dialect !== 'mysql') return;
    if (gaps.size + (to - from) > MOST_GAPS) {
      gaps.clear();
      uncertainUntil = now + options.longestTransactionMs;
      return;
    }
    for (let id = from; id < to; id += 1) gaps.set(id, now);
  }

  function apply(change: AccessChange, now: number): void {
    if (change.id > (highest ?? 0)) {
      noteGaps((highest ?? 0) + 1, change.id, now);
      highest = change.id;
    } else {
      gaps.delete(change.id);
    }
    options.onChange(change);
  }

  async function readOnce(now: number): Promise<void> {
    if (hasFailed) for (const id of gaps.keys()) gaps.set(id, now);
    const wall = options.now();
    const sleptMs = Math.max(now - lastReadAt.monotonic, wall - lastReadAt.wall);
    if (highest === undefined || sleptMs > CHANGE_RETENTION_MS / 2) {
      const latest = await latestAccessChange(db);
      gaps.clear();
      noteGaps(Math.max(1, latest - FIRST_LOOK_BACK), latest + 1, now);
      highest = latest;
      options.onLost();
    }
    const isUncertain = now <= uncertainUntil;
    for (;;) {
      const changes = await listAccessChanges(db, highest, [...gaps.keys()]);
      for (const change of changes) apply(change, now);
      if (changes.length < ACCESS_CHANGE_PAGE) break;
    }
    if (isUncertain) options.onLost();
    for (const [id, seenAt] of gaps) {
      if (now - seenAt > options.longestTransactionMs) gaps.delete(id);
    }
    lastReadAt = { monotonic: now, wall };
    hasFailed = false;
  }

  return {
    async read() {
      const now = options.monotonicNow();
      try {
        await readOnce(now);
      } catch (error) {
        // A server that was suspended may still finish, once it goes on, what its clients have long given up.
        hasFailed = true;
        throw error;
      }
    },
  };
}
