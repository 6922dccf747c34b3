import { randomInt } from 'node:crypto';
import {
  ACCESS_CHANGE_PAGE,
  type AccessChange,
  type Database,
  listAccessChanges,
  listChangesSinceCheckpoint,
  missingIds,
  settleAccessChanges,
} from '@gatehouse/db';

export interface ChangeFeed {
  /** Reads what is new and reports it. Must not be called again before it has settled. */
  read(): Promise<void>;
}

export interface ChangeFeedOptions {
  onChange: (change: AccessChange) => void;
  /** Called when changes may have been missed: everything remembered must be forgotten. */
  onLost: () => void;
  /** How long a gap is left alone at least before it is filled, in milliseconds. */
  settleAfterMs?: number;
}

/** With more gaps than this, forgetting everything at each read is cheaper than asking for them. */
const MOST_GAPS = 2_000;

/** A node that starts reads so many changes at most; there are more only until the next checkpoint. */
const LONGEST_BEGINNING = 5_000;

/** A transaction is over within milliseconds as a rule: a gap that closes by itself needs no tombstone. */
const SETTLE_AFTER_MS = 1_000;

/**
 * Follows the append-only change log by its ids, and trusts it no further than it shows itself complete.
 *
 * The row read last must come back unchanged with what is above it, so nothing was removed under this reader. Ids become
 * visible out of order: a gap below is asked for until a row stands there, which is a change or a tombstone. Whenever
 * something is missing that must be there, everything is forgotten, at each read until the log is complete again. No
 * clock takes part. Applying a change twice is harmless.
 */
export function createChangeFeed(db: Database, options: ChangeFeedOptions): ChangeFeed {
  const settleAfterMs = options.settleAfterMs ?? SETTLE_AFTER_MS;
  const gaps = new Set<number>();
  let newest: AccessChange | undefined;
  let wasLost = false;
  let isSettling = false;

  /** Says whether the ids that are missing could be taken down. */
  function recordGaps(afterId: number, ids: readonly number[]): boolean {
    const missing = missingIds(afterId, ids, MOST_GAPS + 1 - gaps.size);
    for (const id of missing) gaps.add(id);
    return gaps.size <= MOST_GAPS;
  }

  /** What was visible by now is not remembered; what becomes visible later is above the newest row or in a gap. */
  async function begin(): Promise<void> {
    newest = undefined;
    gaps.clear();
    const since = await listChangesSinceCheckpoint(db, LONGEST_BEGINNING);
    const last = since?.changes.at(-1);
    if (since !== undefined && last !== undefined && since.changes.length < LONGEST_BEGINNING) {
      const ids = since.changes.map(({ id }) => id);
      if (recordGaps(since.checkpoint, ids)) newest = last;
    }
    options.onLost();
  }

  /** Says whether nothing can have been missed. */
  async function follow(from: AccessChange): Promise<boolean> {
    let known = from;
    for (;;) {
      const { changes, settledId } = await listAccessChanges(db, known.id, [...gaps]);
      const isLastPage = changes.length < ACCESS_CHANGE_PAGE;
      const evidence = changes.find(({ id }) => id >= known.id);
      if (evidence === undefined ? isLastPage : !isSame(evidence, known)) return false;
      for (const change of changes) {
        if (change.id === known.id && change === evidence) continue;
        if (change.id > known.id) {
          if (!recordGaps(known.id, [change.id])) return false;
          known = change;
        } else {
          gaps.delete(change.id);
        }
        options.onChange(change);
      }
      newest = known;
      if (isLastPage) return ![...gaps].some((id) => id <= settledId);
    }
  }

  function settleSoon(afterMs: number): void {
    if (isSettling) return;
    isSettling = true;
    const settle = async () => {
      try {
        await settleAccessChanges(db);
      } catch {
        // Nobody waits for this: the next read is told what is wrong with the database, and asks for it again.
      }
      isSettling = false;
    };
    setTimeout(() => void settle(), afterMs).unref();
  }

  return {
    async read() {
      if (newest === undefined || !(await follow(newest))) await begin();
      if (newest === undefined) settleSoon(wasLost ? settleAfterMs : 0);
      else if (gaps.size > 0) settleSoon(randomInt(settleAfterMs, 2 * settleAfterMs + 1));
      wasLost = newest === undefined;
    },
  };
}

function isSame(one: AccessChange, other: AccessChange): boolean {
  return (
    one.id === other.id &&
    one.memberId === other.memberId &&
    one.accountId === other.accountId &&
    one.partnerId === other.partnerId &&
    one.atMs === other.atMs
  );
}
