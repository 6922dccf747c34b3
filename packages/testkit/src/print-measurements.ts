import { isStressRun } from './rounds.js';

/**
 * Prints a stress test's measurements in one line under `pnpm test:stress`, and nothing in the suite.
 * @param guarantee the guarantee in a few words, as in the test's title
 * @param figures name → value, units in the name (`seconds`, `p99Ms`)
 */
export function printMeasurements(
  guarantee: string,
  figures: Readonly<Record<string, number | string>>,
): void {
  if (!isStressRun()) return;
  const list = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  // biome-ignore lint/suspicious/noConsole: vitest hands it to the reporter that writes docs/stress.md
  console.log(`stress: ${guarantee}: ${list.join(', ')}`);
}
