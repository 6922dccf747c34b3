import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { isStressRun } from '../rounds.js';

/** Colors may be on their way from one scheme to the other. */
const MOTION_ENDED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime)).map(({ finished }) => finished)).then(() => undefined)`;

/** Axe's findings in a page as it is now, once it shows its heading and nothing moves. */
export async function findingsOfAxe(page: Page): Promise<string[]> {
  await page.locator('body:not(:has(div[aria-busy="true"])) h1').first().waitFor();
  await page.evaluate(MOTION_ENDED);
  const session = await page.context().newCDPSession(page);
  // Through the debugger, because the policy of the page forbids code made from text.
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (known.value !== 'object') await session.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations))`,
    awaitPromise: true,
  });
  await session.detach();
  const violations = JSON.parse(String(result.value)) as axe.Result[];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** The combinations of color and width; outside a stress run each color and each width once, as no color changes a width. */
const WAYS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 320]
    .filter((width) => isStressRun() || (colorScheme === 'dark') === (width === 320))
    .map((width) => ({ colorScheme, width })),
);

/** The flaws of a screen in each way it can be shown. */
export async function flawsOfLook(page: Page): Promise<string[]> {
  const flaws: string[] = [];
  for (const { colorScheme, width } of WAYS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const direction of ['ltr', 'rtl']) {
      const where = `${colorScheme}, ${width} px, ${direction}`;
      await page.evaluate(`document.documentElement.dir = '${direction}'`);
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      if (isTooWide === true) flaws.push(`${where}: scrolls sideways`);
      const headings = await page.locator('h1').count();
      if (headings !== 1) flaws.push(`${where}: ${headings} first headings`);
      // Axe takes most of the time: in the suite it looks at each direction once.
      if (!isStressRun() && (direction === 'rtl') !== (width === 320)) continue;
      flaws.push(...(await findingsOfAxe(page)).map((finding) => `${where}: ${finding}`));
    }
  }
  await page.evaluate("document.documentElement.dir = 'ltr'");
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  return flaws;
}
