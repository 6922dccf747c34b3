import type { Page } from 'playwright-core';
import { isStressRun } from './rounds.js';

/** How a page is painted. */
export interface Paint {
  /** When its largest part was there (LCP), in milliseconds. */
  readonly ms: number;
  /** How much moved afterwards (CLS). */
  readonly shift: number;
}

/** Runs in the page before everything else. */
const OBSERVE = `window.painted = 0; window.shifted = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) painted = entry.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) shifted += entry.value; })
    .observe({ type: 'layout-shift', buffered: true });`;

const MAX_WAIT_MS = 15_000;

/**
 * Opens an address on a processor that is slower by a factor, and measures how it is painted. The page is closed.
 * @throws Error if nothing is painted within 15 s
 */
export async function measurePaint(page: Page, url: string, { slower }: { slower: number }): Promise<Paint> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.addInitScript(OBSERVE);
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator('h1').waitFor();
  const latest = Date.now() + MAX_WAIT_MS;
  let ms = 0;
  while (ms === 0) {
    if (Date.now() > latest) throw new Error(`${url} was not painted`);
    ms = await page.evaluate<number>('window.painted');
  }
  const shift = await page.evaluate<number>('window.shifted');
  await page.close();
  return { ms, shift };
}

/** The middle one of some measurements. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/**
 * How late a page may be painted: in milliseconds on a machine like the one that the limit was set on. A busy or slow one paints
 * everything late, so that there a bare page is the measure.
 * @param timesBare how many times as late as a bare page
 */
export function latestPaint(
  quietMs: number,
  { bareMs, timesBare }: Record<'bareMs' | 'timesBare', number>,
): number {
  return Math.max(quietMs, timesBare * bareMs);
}

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
