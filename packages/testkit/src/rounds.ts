/**
 * How often a stress test repeats itself: `suite` times under `pnpm test`, `stress` times under `pnpm test:stress`.
 *
 * A stress test is one piece of code at two sizes, so that the long run can never be of something the suite does not run.
 * Works for counts of any kind: rounds of a loop, rows of a table, concurrent callers.
 *
 * @param sizes positive integers; `stress` is at least `suite`
 * @throws RangeError when the sizes are not positive integers in that order
 */
export function rounds(sizes: { suite: number; stress: number }): number {
  const { suite, stress } = sizes;
  if (!Number.isSafeInteger(suite) || !Number.isSafeInteger(stress) || suite < 1 || stress < suite) {
    throw new RangeError(`rounds need positive integers with suite ≤ stress, not ${suite} and ${stress}`);
  }
  return isStressRun() ? stress : suite;
}

/** Whether this run is `pnpm test:stress`: the full sizes, with their figures printed. */
export function isStressRun(): boolean {
  return process.env['GATEHOUSE_STRESS'] === '1';
}
