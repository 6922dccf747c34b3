/**
 * The size of a stress test: `suite` rounds under `pnpm test:all`, `stress` rounds under `pnpm test:stress`. Both
 * run the same code, so the suite always covers the code of the long run. It works for any count: rounds of a
 * loop, rows of a table, concurrent callers.
 * @param sizes positive integers; `stress` is at least `suite`
 * @throws RangeError if the sizes are not positive integers in that order
 */
export function rounds(sizes: { suite: number; stress: number }): number {
  const { suite, stress } = sizes;
  if (!Number.isSafeInteger(suite) || !Number.isSafeInteger(stress) || suite < 1 || stress < suite) {
    throw new RangeError(`rounds need positive integers with suite ≤ stress, not ${suite} and ${stress}`);
  }
  return isStressRun() ? stress : suite;
}

/** Whether this run is `pnpm test:stress`, with full sizes and printed figures. */
export function isStressRun(): boolean {
  return process.env['GATEHOUSE_STRESS'] === '1';
}
