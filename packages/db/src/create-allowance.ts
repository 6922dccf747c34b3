/** How long one handle may wait for its database. Every time is in milliseconds. */
export interface Allowance {
  /** What an operation that begins now may take of its own budget. */
  msFor(budgetMs: number): number;
  /** Learns that the database was unavailable to an operation that began then, in monotonic milliseconds. */
  fail(startedMs: number): void;
}

const SHORTEST_MS = 300;

/**
 * Who waited long, in vain or behind others who did, must not wait as long again, as for undoing something or for the next
 * statement: a request would take a multiple of the time-out. So right after an operation has failed for being slow, those
 * that begin are given up after a tenth of the time-out.
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
