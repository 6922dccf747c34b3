import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { isStressRun } from '../rounds.js';

/** What axe finds in a page as it is now, once it shows its heading. */
export async function findingsOfAxe(page: Page): Promise<string[]> {
  await page.locator('body:not(:has(div[aria-busy="true"])) h1').first().waitFor();
  const session = await page.context().newCDPSession(page);
  // By the debugger, because the policy of the page forbids code that is made of text.
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (known.value !== 'object') await session.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'axe.run().then(({ violations }) => JSON.stringify(violations))',
    awaitPromise: true,
  });
  await session.detach();
  const violations = JSON.parse(String(result.value)) as axe.Result[];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Each scheme, width and direction is in one of these, which is where axe looks outside a stress run; it takes most of the time. */
const FOR_AXE = ['light 1280 ltr', 'dark 320 rtl'];

/** How a screen looks in each way it can be shown: what is wrong with it there. */
export async function flawsOfLook(page: Page): Promise<string[]> {
  const flaws: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      for (const direction of ['ltr', 'rtl']) {
        const where = `${colorScheme}, ${width} px, ${direction}`;
        await page.evaluate(`document.documentElement.dir = '${direction}'`);
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
        if (isTooWide === true) flaws.push(`${where}: scrolls sideways`);
        const headings = await page.locator('h1').count();
        if (headings !== 1) flaws.push(`${where}: ${headings} first headings`);
        if (!isStressRun() && !FOR_AXE.includes(`${colorScheme} ${width} ${direction}`)) continue;
        flaws.push(...(await findingsOfAxe(page)).map((finding) => `${where}: ${finding}`));
      }
    }
  }
  await page.evaluate("document.documentElement.dir = 'ltr'");
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  return flaws;
}
