import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Item } from './items.js';

const itemResult = z.object({
  name: z.string(),
  hasPassed: z.boolean(),
  passed: z.number(),
  failed: z.number(),
  seconds: z.number(),
  /** The lines of `printMeasurements`. */
  figures: z.array(z.string()),
  /** The titles of the tests of a stress test. */
  titles: z.array(z.string()),
  /** What failed, and the first line of why. */
  failures: z.array(z.string()),
  startedAt: z.string(),
  commit: z.string(),
  /** Changes with any file but the documents. */
  sources: z.string(),
  node: z.string(),
  machine: z.string(),
});

/** What an item showed. */
export type ItemResult = z.output<typeof itemResult>;

/** What is known of all items, by name. */
export function readResults(file: string): Map<string, ItemResult> {
  if (!existsSync(file)) return new Map();
  const results = z.array(itemResult).parse(JSON.parse(readFileSync(file, 'utf8')));
  return new Map(results.map((result) => [result.name, result]));
}

/** Writes the results whole, so that a run that is killed meanwhile keeps those of before. */
export function keepResults(file: string, results: ReadonlyMap<string, ItemResult>): void {
  const sorted = [...results.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(`${file}.new`, `${JSON.stringify(sorted, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** Which results count. */
export interface Accepted {
  readonly sources: string;
  /** Whether results of other sources count too. */
  readonly isAnyCommit: boolean;
}

/** The result of an item that counts for these sources. */
export function resultOf(
  results: ReadonlyMap<string, ItemResult>,
  item: Item,
  { sources, isAnyCommit }: Accepted,
): ItemResult | undefined {
  const result = results.get(item.name);
  return result !== undefined && (isAnyCommit || result.sources === sources) ? result : undefined;
}

/** The items that have not passed. */
export function itemsLeft(
  items: readonly Item[],
  results: ReadonlyMap<string, ItemResult>,
  accepted: Accepted,
): Item[] {
  return items.filter((item) => resultOf(results, item, accepted)?.hasPassed !== true);
}

/** How long the items took the last time, in words. */
export function estimate(items: readonly Item[], results: ReadonlyMap<string, ItemResult>): string {
  const known = items.flatMap((item) => results.get(item.name)?.seconds ?? []);
  const unknown = items.length - known.length;
  const sum = duration(known.reduce((total, seconds) => total + seconds, 0));
  if (unknown === 0) return sum;
  return known.length === 0 ? 'unknown' : `${sum}, and ${unknown} that never ran`;
}

/** As `2 h 5 min`, `12 min` or `40 s`. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
