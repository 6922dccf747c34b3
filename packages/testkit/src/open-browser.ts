import { type BrowserContext, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.js';

/** A browser with a profile of its own, closed when it is disposed of. */
export interface TestBrowser extends AsyncDisposable {
  readonly context: BrowserContext;
}

/**
 * Opens the Chromium that is installed, without a window.
 * @throws Error where none is; tests that need one end in `.browser.test.ts`, which run only where there is one
 */
export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  // Its sandbox needs rights that containers do not give; the pages are our own.
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const context = await browser.newContext();
  return { context, [Symbol.asyncDispose]: () => browser.close() };
}
