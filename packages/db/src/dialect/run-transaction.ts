import { DatabaseUnavailableError } from '../database-unavailable-error.js';
import { TransactionConflictError } from '../transaction-conflict-error.js';
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
