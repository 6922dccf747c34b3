import { printMeasurements, rounds } from '@gatehouse/testkit';
import { median } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { insertCrowd } from './test/insert-crowd.js';
import { longestTaskOf } from './test/longest-task-of.js';
import { openConsole, type Page, signInAs } from './test/open-console.js';

const dialect = inject('dialect');

const ROWS = rounds({ suite: 2_000, stress: 10_000 });
const ROW_HEIGHT = 36;
const MAX_TASK_MS = 50;
/** The memory of compiled code, and 900 bytes a row. */
const MAX_MEMORY = 1_000_000 + ROWS * 900;

/** Scrolls to the end, where it stays, and back to the top. Returns how long each frame took. */
const SCROLL_THROUGH = `new Promise((done) => {
  const frames = [];
  let step = 1500;
  let still = 0;
  let last = performance.now();
  const next = (now) => {
    frames.push(now - last);
    last = now;
    const before = scrollY;
    scrollBy(0, step);
    still = scrollY === before ? still + 1 : 0;
    if (still > 30 && step < 0) { done(frames); return; }
    if (still > 30 && document.querySelector('table[aria-rowcount="-1"]') === null) { step = -step; still = 0; }
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})`;

const scrollThrough = (page: Page) => page.evaluate<number[]>(SCROLL_THROUGH);

it('a long list scrolls without a long task and in little memory, and Back returns to the same place', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints } = console;
  await insertCrowd(service.database, ROWS);
  const bare = await page.context().newPage();
  await bare.setContent(`<div style="height: ${ROWS * ROW_HEIGHT}px"></div>`);
  const bareFrames = await scrollThrough(bare);
  await bare.close();

  await signInAs(console, 'root@gatehouse.test', 'members?q=@crowd.test');
  await page.locator('tbody a').first().waitFor();
  const before = await heapOf(page);
  let frames: number[] = [];
  const longestTaskMs = await longestTaskOf(page, async () => {
    frames = await scrollThrough(page);
  });
  await page.getByText(`${ROWS.toLocaleString('en')} members`).waitFor();
  // The document has only the rows near the visible ones.
  expect(await page.locator('tbody tr[aria-rowindex]').count()).toBeLessThan(100);
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  expect(height, 'the others keep their place').toBeGreaterThan(ROWS * (ROW_HEIGHT - 1));
  const grownBytes = (await heapOf(page)) - before;
  printMeasurements(`${ROWS} members are scrolled through`, {
    longestTaskMs: Math.round(longestTaskMs),
    longestFrameMs: Math.round(Math.max(...frames)),
    medianFrameMs: Math.round(median(frames)),
    longestBareFrameMs: Math.round(Math.max(...bareFrames)),
    grownBytes,
  });
  // Time of the processor: on a busy machine any page waits for it.
  expect(longestTaskMs).toBeLessThan(MAX_TASK_MS);
  expect(grownBytes).toBeLessThan(MAX_MEMORY);

  const middle = ROWS / 2;
  await page.evaluate(`scrollTo(0, ${middle * ROW_HEIGHT})`);
  const link = page.locator(`tbody tr[aria-rowindex="${middle}"]`).getByRole('link');
  await link.waitFor();
  const name = (await link.textContent()) ?? '';
  // To click, a row that moved under the bar meanwhile is scrolled into view first.
  await page.evaluate(`addEventListener('click', () => { window.place = scrollY; }, { capture: true })`);
  await link.click();
  const place = await page.evaluate<number>('window.place');
  expect(place).toBeGreaterThan(middle);
  await page.getByRole('heading', { level: 1, name: /hasn't confirmed/ }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name, exact: true }).waitFor();
  // Heights are fractional, but the scroll position is rounded.
  const moved = async () => Math.abs((await page.evaluate<number>('scrollY')) - place);
  await expect.poll(moved).toBeLessThan(5);
  expect(complaints).toEqual([]);
});

/** The memory of the page, without what is unreachable. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return usedSize;
}
