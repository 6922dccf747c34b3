import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { isOutage } from '@gatehouse/db/database-errors';
import { touchApiKeys } from '@gatehouse/db/queries/machines';
import type { KeyFacts } from '@gatehouse/http/server/http-call';
import type { LimitStore } from '@gatehouse/runtime/limits/limit-store';
import type { Logger } from '@gatehouse/runtime/log/log';

/** How API keys are used. */
export interface KeyUse {
  /**
   * Counts a call with a key, without waiting for anything.
   * @throws {AppError} `rate_limited` above the calls that the key may make in a minute
   */
  count(key: KeyFacts): void;
  /** Settles the counts with the other nodes, and writes when keys were last used. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** What this node knows of the calls of one key in the present minute. */
interface Minute {
  readonly number: number;
  /** Calls here. */
  own: number;
  /** Calls here that the other nodes do not know of. */
  unsettled: number;
  /** Calls at the other nodes, as of the last settlement. */
  elsewhere: number;
}

const MINUTE_MS = 60_000;
const SETTLE_MS = 1_000;

/** Counts calls here, and settles the counts with the shared store each second. */
export function createKeyUse(
  db: Database,
  { limits, now, log }: { limits: Pick<LimitStore, 'add'>; now: () => number; log: Logger },
): KeyUse {
  const minutes = new Map<number, Minute>();
  let used = new Set<number>();
  let writtenAtMs = now();

  let settled = Promise.resolve();

  /** One settlement after the other, so that none is still under way when a later one has ended. */
  function settle(): Promise<void> {
    settled = settled.then(settleNow, settleNow);
    return settled;
  }

  async function settleNow(): Promise<void> {
    const number = Math.floor(now() / MINUTE_MS);
    const failures: unknown[] = [];
    for (const [id, minute] of minutes) {
      if (minute.number !== number) minutes.delete(id);
      else if (minute.unsettled > 0)
        await settleKey(id, minute).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Calls that cannot be added now are added by a later settlement. The counts of other nodes stay until then. */
  async function settleKey(id: number, minute: Minute): Promise<void> {
    const { number, own, unsettled } = minute;
    const counter = { key: `api-key:${id}:${number}`, windowMs: 2 * MINUTE_MS };
    const total = await limits.add(counter, unsettled);
    if (total === undefined) return;
    minute.unsettled -= unsettled;
    minute.elsewhere = Math.max(0, total - own);
  }

  async function writeUses(): Promise<void> {
    if (used.size === 0) return;
    const ids = [...used];
    used = new Set();
    writtenAtMs = now();
    try {
      await touchApiKeys(db, ids, now());
    } catch (error) {
      for (const id of ids) used.add(id);
      throw error;
    }
  }

  let isRunning = false;

  async function runDue(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    const isDue = now() >= writtenAtMs + MINUTE_MS;
    const outcomes = await Promise.allSettled([settle(), isDue ? writeUses() : undefined]);
    isRunning = false;
    for (const outcome of outcomes)
      if (outcome.status === 'rejected' && !isOutage(outcome.reason))
        log.failure('use of API keys', outcome.reason);
  }

  const timer = setInterval(() => void runDue(), SETTLE_MS);
  timer.unref();

  async function flush(): Promise<void> {
    try {
      await settle();
    } finally {
      await writeUses();
    }
  }

  return {
    count({ id, perMinute }) {
      const nowMs = now();
      const number = Math.floor(nowMs / MINUTE_MS);
      const known = minutes.get(id);
      const minute = known?.number === number ? known : { number, own: 0, unsettled: 0, elsewhere: 0 };
      minutes.set(id, minute);
      if (minute.own + minute.elsewhere >= perMinute)
        throw new AppError('rate_limited', {
          retryAfterSeconds: Math.ceil(((number + 1) * MINUTE_MS - nowMs) / 1000),
          policy: { name: 'api-key', quota: perMinute, windowSeconds: MINUTE_MS / 1000 },
        });
      minute.own += 1;
      minute.unsettled += 1;
      used.add(id);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush().catch(() => undefined);
    },
  };
}
