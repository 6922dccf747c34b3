import type { Page } from './open-console.js';

/** Counts the clicks in a page, from its creation or the last read on. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('tellClick', () => {
    clicks += 1;
  });
  const listen = "addEventListener('mousedown', () => tellClick(), true)";
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => {
    const counted = clicks;
    clicks = 0;
    return counted;
  };
}
