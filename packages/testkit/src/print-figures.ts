import { isProving } from './rounds.js';

/**
 * Prints what a proof measured, one line, when the run is `pnpm prove`; the suite stays quiet.
 *
 * @param proof the guarantee in a few words, as the test's title says it
 * @param figures name → value, units in the name (`seconds`, `p99Ms`)
 */
export function printFigures(proof: string, figures: Readonly<Record<string, number | string>>): void {
  if (!isProving()) return;
  const list = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`proof: ${proof}: ${list.join(', ')}\n`);
}
