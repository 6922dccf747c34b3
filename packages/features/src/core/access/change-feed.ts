import { randomInt } from 'node:crypto';
import type { Database } from '@gatehouse/db/database';
import {
  ACCESS_CHANGE_PAGE,
  type AccessChange,
  listAccessChanges,
  listChangesSinceCheckpoint,
  missingIds,
} from '@gatehouse/db/queries/list-access-changes';
import { settleAccessChanges } from '@gatehouse/db/queries/settle-access-changes';

export interface ChangeFeed {
  /** Reads new changes and reports them. Await it before the next call. */
  read(): Promise<void>;
  /** The id of the newest change read; 0 before the first. */
  position(): number;
}

export interface ChangeFeedOptions {
  onChange: (change: AccessChange) => void;
  /** Called when changes may have been missed. The caller must clear its cache. */
  onLost: () => void;
  /** The minimum age of a gap before it is filled, in milliseconds. */
  settleAfterMs?: number;
}

/** With more gaps than this, clearing the cache at each read is cheaper than querying them. */
const MAX_GAPS = 2_000;

/** The most changes a starting node reads. There can be more only until the next checkpoint. */
const MAX_BEGINNING_LENGTH = 5_000;

/** Transactions usually end within milliseconds, so most gaps close without a tombstone. */
const SETTLE_AFTER_MS = 1_000;

/**
 * Follows the append-only change log by id, and trusts it only while it is provably complete. The last row
 * read must come back unchanged, which shows that nothing was removed unseen. Ids become visible out of
 * order: a gap is queried until it has a change or a tombstone. If a required row is missing, caches are
 * cleared at each read until the log is complete again. No clock is involved, and applying a change twice is
 * harmless.
 */
export function createChangeFeed(db: Database, options: ChangeFeedOptions): ChangeFeed {
  const settleAfterMs = options.settleAfterMs ?? SETTLE_AFTER_MS;
  const gaps = new Set<number>();
  let newest: AccessChange | undefined;
  let wasLost = false;
  let isSettling = false;

  /** Whether the missing ids could be recorded. */
  function recordGaps(afterId: number, ids: readonly number[]): boolean {
    const missing = missingIds(afterId, ids, MAX_GAPS + 1 - gaps.size);
    for (const id of missing) gaps.add(id);
    return gaps.size <= MAX_GAPS;
  }

  /** Changes visible by now need not be applied. Later ones are above the newest row or in a gap. */
  async function begin(): Promise<void> {
    newest = undefined;
    gaps.clear();
    const since = await listChangesSinceCheckpoint(db, MAX_BEGINNING_LENGTH);
    const last = since?.changes.at(-1);
    if (since !== undefined && last !== undefined && since.changes.length < MAX_BEGINNING_LENGTH) {
      const ids = since.changes.map(({ id }) => id);
      if (recordGaps(since.checkpoint, ids)) newest = last;
    }
    options.onLost();
  }

  /** Returns whether nothing can have been missed. */
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
        // Not awaited: the next read meets the same database error and tries again.
      }
      isSettling = false;
    };
    setTimeout(() => void settle(), afterMs).unref();
  }

  return {
    position: () => newest?.id ?? 0,
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
    one.applicationId === other.applicationId &&
    one.atMs === other.atMs
  );
}
