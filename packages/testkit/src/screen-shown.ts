import type { Page } from 'playwright-core';

/** Waits until a page shows its heading, and all that the heading is about. */
export async function screenShown(page: Page): Promise<void> {
  await page.locator('body:not(:has(div[aria-busy="true"])) h1').waitFor();
}
