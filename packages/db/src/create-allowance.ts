/** The time limits of one handle. Every time is in milliseconds. */
export interface Allowance {
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
