import type { Page } from './open-console.js';

/** Counts the presses of the mouse in a page. The counter begins at its making, and anew when it is asked. */
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
