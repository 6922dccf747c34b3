import { readSources } from '../sources.js';
import type { Item } from './items.js';
import { duration, estimate, type ItemResult } from './results.js';
import { type ItemPlaces, runItem } from './run-item.js';

/** How items are run. */
export interface ItemRun extends ItemPlaces {
  /** How many of the items that need not be alone run side by side. */
  readonly lanes: number;
  /** Of all items, to estimate the time that is left, and for the results of this run. */
  readonly results: Map<string, ItemResult>;
  /** Called after each item, to keep its result. */
  readonly onResult: () => void;
}

/**
 * Runs the items in their order, prints how each went, and keeps each result at once.
 * @throws Error if the sources change meanwhile
 */
export async function runItems(items: readonly Item[], run: ItemRun): Promise<void> {
  const left = new Set(items);
  await drain(
    items.filter(({ isAlone }) => isAlone),
    1,
  );
  await drain(
    items.filter(({ isAlone }) => !isAlone),
    run.lanes,
  );

  async function drain(part: readonly Item[], lanes: number): Promise<void> {
    const waiting = [...part];
    const lane = async (): Promise<void> => {
      const item = waiting.shift();
      if (item === undefined || run.signal.aborted) return;
      await runOne(item);
      await lane();
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  async function runOne(item: Item): Promise<void> {
    const place = `${items.indexOf(item) + 1} of ${items.length}`;
    console.log(`${new Date().toISOString().slice(11, 19)}  ${place}  ${item.name}`);
    const result = await runItem(item, run);
    if (result === undefined) return;
    if (readSources().sources !== run.sources)
      throw new Error('the sources changed meanwhile: run the stress tests in a clone that nobody changes');
    run.results.set(item.name, result);
    left.delete(item);
    run.onResult();
    const outcome = result.hasPassed ? 'passed' : `FAILED  ${result.failures.join('; ')}`;
    console.log(
      `          ${outcome} in ${duration(result.seconds)}; left: ${estimate([...left], run.results)}`,
    );
  }
}
