import type { Driver, StatementRunner } from './driver.js';

/** Runs a statement within a span. The text contains placeholders, never a value. */
export type TraceStatement = <Answer>(sql: string, run: () => Promise<Answer>) => Promise<Answer>;

/** Reports each statement to a tracer. Without a tracer the driver is returned unchanged. */
export function tracedDriver(driver: Driver, trace: TraceStatement): Driver {
  const traced = (runner: StatementRunner): StatementRunner => ({
    read: (sql, params) => trace(sql, () => runner.read(sql, params)),
    write: (sql, params) => trace(sql, () => runner.write(sql, params)),
  });
  return {
    ...driver,
    read: (sql, params, deadlineMs) => trace(sql, () => driver.read(sql, params, deadlineMs)),
    write: (sql, params, deadlineMs) => trace(sql, () => driver.write(sql, params, deadlineMs)),
    transaction: (body, deadlineMs, isFlushed) =>
      driver.transaction((runner) => body(traced(runner)), deadlineMs, isFlushed),
  };
}
