import type { BrowserContext, Page } from 'playwright-core';
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

/** A phone on the move: 1.6 Mbit/s, and 150 ms for each round trip. */
const SLOW_LINE = { offline: false, downloadThroughput: 200_000, uploadThroughput: 200_000, latency: 150 };

/** The measurements of a first visit. */
interface FirstVisit {
  /** When the heading was there, in milliseconds. */
  readonly headingMs: number;
  readonly scripts: number;
  /** How much moved (CLS). */
  readonly shift: number;
}

const HEADING = `window.headed = 0;
  new MutationObserver((_, observer) => {
    if (!document.querySelector('h1')) return;
    headed = performance.now();
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true });`;

const COUNT_SCRIPTS = `performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('.js')).length`;

/** Opens an address as a phone with a slow processor, a slow line and nothing cached. The page is closed. */
async function measureFirstVisit(page: Page, url: string): Promise<FirstVisit> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await devtools.send('Network.emulateNetworkConditions', SLOW_LINE);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(OBSERVE);
  await page.addInitScript(HEADING);
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator('h1').waitFor();
  const [headingMs = 0, scripts = 0, shift = 0] = await page.evaluate<number[]>(
    `[headed, ${COUNT_SCRIPTS}, shifted]`,
  );
  await page.close();
  return { headingMs: Math.round(headingMs), scripts, shift };
}

const MAX_HEADING_MS = 2_500;

/** How often a screen is opened if other work of the machine slowed down its heading. */
const MAX_VISITS = 5;

const MAX_SCRIPTS = 12;

const MAX_SHIFT = 0.02;

/**
 * Opens screens as a phone with a slow processor, a slow line and nothing cached. `pnpm test:stress` also prints when each heading
 * was there.
 * @returns what each screen exceeds: 2.5 s for the heading of its quickest visit, 12 scripts, or a shift of 0.02
 */
export async function flawsOfFirstVisits(
  context: BrowserContext,
  screens: readonly string[],
): Promise<string[]> {
  const flaws: string[] = [];
  for (const screen of screens) {
    const visits = [await measureFirstVisit(await context.newPage(), screen)];
    const quickest = () => Math.min(...visits.map((visit) => visit.headingMs));
    while (visits.length < MAX_VISITS && quickest() > MAX_HEADING_MS)
      visits.push(await measureFirstVisit(await context.newPage(), screen));
    const headingMs = quickest();
    const scripts = Math.max(...visits.map((visit) => visit.scripts));
    const shift = Math.max(...visits.map((visit) => visit.shift));
    const { pathname } = new URL(screen);
    printMeasurements(`the first visit of ${pathname} on a slow line`, { headingMs, scripts, shift });
    if (headingMs > MAX_HEADING_MS) flaws.push(`${pathname}: the heading after ${headingMs} ms`);
    if (scripts > MAX_SCRIPTS) flaws.push(`${pathname}: ${scripts} scripts`);
    if (shift > MAX_SHIFT) flaws.push(`${pathname}: a shift of ${shift}`);
  }
  return flaws;
}

/** The middle one of some measurements. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/**
 * The latest time of a page's painting: in milliseconds on a machine like the one on which the limit was set. A busy or slow one
 * paints everything late, so there a bare page is the measure.
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
