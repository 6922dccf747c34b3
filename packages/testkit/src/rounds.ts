/**
 * How often a proof repeats itself: `suite` times under `pnpm test`, `prove` times under `pnpm prove`.
 *
 * A proof is one piece of code at two sizes, so that the long run can never be of something the suite does not run.
 * Works for counts of any kind: rounds of a loop, rows of a table, concurrent callers.
 *
 * @param sizes positive integers; `prove` is at least `suite`
 * @throws RangeError when the sizes are not positive integers in that order
 */
export function rounds(sizes: { suite: number; prove: number }): number {
  const { suite, prove } = sizes;
  if (!Number.isSafeInteger(suite) || !Number.isSafeInteger(prove) || suite < 1 || prove < suite) {
    throw new RangeError(`rounds need positive integers with suite ≤ prove, not ${suite} and ${prove}`);
  }
  return isProving() ? prove : suite;
}

/** Whether this run is `pnpm prove`: the full sizes, with their figures printed. */
export function isProving(): boolean {
  return process.env['GATEHOUSE_PROVE'] === '1';
}
