import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError, TransactionConflictError } from '../database-errors.js';
import type { StatementRunner } from './driver.js';

/** How to begin and end a transaction on one connection. */
export interface TransactionSteps {
  runner: StatementRunner;
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Rolls back, whatever state the connection is in. Never rejects. */
  rollback(): Promise<void>;
  /** Ends the connection, and the running statement, at the deadline. */
  abandon?(): void;
}

/**
 * Runs a body between `begin` and `commit`. Rolls back when it rejects or takes too long. After a conflict or an
 * outage the server may have rolled back by itself and would run the next statement outside the transaction. So
 * every later statement fails with the same error, even if the body caught it.
 * @param deadlineMs monotonic; no commit begins after it
 */
export async function runTransaction<Result>(
  steps: TransactionSteps,
  body: (runner: StatementRunner) => Promise<Result>,
  deadlineMs: number | undefined,
): Promise<Result> {
  let over: Error | undefined;
  const guard = async <Answer>(statement: () => Promise<Answer>): Promise<Answer> => {
    if (over !== undefined) throw over;
    try {
      return await statement();
    } catch (error) {
      if (error instanceof TransactionConflictError || error instanceof DatabaseUnavailableError)
        over ??= error;
      throw error;
    }
  };
  const guarded: StatementRunner = {
    read: (sql, params) => guard(() => steps.runner.read(sql, params)),
    write: (sql, params) => guard(() => steps.runner.write(sql, params)),
  };
  const endInTime = (): DatabaseUnavailableError => {
    const error = new DatabaseUnavailableError('timeout');
    over ??= error;
    steps.abandon?.();
    return error;
  };

  let timer: NodeJS.Timeout | undefined;
  try {
    await steps.begin();
    const timeout = new Promise<never>((_resolve, reject) => {
      if (deadlineMs === undefined) return;
      timer = setTimeout(() => reject(endInTime()), deadlineMs - performance.now());
    });
    const result = await Promise.race([body(guarded), timeout]);
    if (over !== undefined) throw over;
    // On a busy event loop the timer may run late.
    if (deadlineMs !== undefined && performance.now() >= deadlineMs) throw endInTime();
    over = new Error('this transaction has ended; its handle must not be kept');
    clearTimeout(timer);
    await steps.commit();
    return result;
  } catch (error) {
    over ??= new Error('this transaction was rolled back; its handle must not be kept');
    await steps.rollback();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The time limits of one handle. Every time is in milliseconds. */
interface Allowance {
  /** The time limit for an operation that begins now, given its own limit. */
  msFor(budgetMs: number): number;
  /** Records that an operation failed for being slow. `startedMs` is in monotonic milliseconds. */
  fail(startedMs: number): void;
}

const SHORTEST_MS = 300;

/**
 * After an operation has timed out, the next ones get a tenth of the time-out. Otherwise one request would wait
 * several full time-outs in a row.
 */
export function createAllowance(timeoutMs: number): Allowance {
  const reducedMs = Math.max(SHORTEST_MS, timeoutMs / 10);
  let reducedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    msFor: (budgetMs) => (performance.now() < reducedUntilMs ? Math.min(budgetMs, reducedMs) : budgetMs),
    fail(startedMs) {
      const nowMs = performance.now();
      const wasReduced = nowMs - startedMs < 2 * reducedMs;
      if (!wasReduced) reducedUntilMs = nowMs + timeoutMs / 5;
    },
  };
}

const ATTEMPTS = 12;

const FIRST_PAUSE_MS = 4;

const MAX_PAUSE_MS = 400;

/**
 * Retries an attempt on conflict, with random, growing pauses. All attempts share one deadline in monotonic
 * milliseconds.
 * @throws DatabaseUnavailableError (`busy`) after a dozen conflicts in a row, or when the time is over
 */
export async function retryOnConflict<Result>(
  attempt: (deadlineMs: number) => Promise<Result>,
  budgetMs: number,
  allowance: Allowance,
): Promise<Result> {
  const startedMs = performance.now();
  const deadlineMs = startedMs + allowance.msFor(budgetMs);
  for (let failures = 0; ; ) {
    try {
      return await attempt(deadlineMs);
    } catch (error) {
      // After a conflict the server has answered. The wait was for a locked row, which does not affect other
      // operations.
      if (error instanceof DatabaseUnavailableError && failures === 0) allowance.fail(startedMs);
      if (!(error instanceof TransactionConflictError)) throw error;
      failures += 1;
      const pauseMs = randomInt(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
      if (failures === ATTEMPTS || performance.now() + pauseMs >= deadlineMs)
        throw new DatabaseUnavailableError('busy', { cause: error });
      await pause(pauseMs);
    }
  }
}
