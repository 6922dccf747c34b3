import { type BrowserContext, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.js';

/** A browser with its own profile, closed on disposal. */
export interface TestBrowser extends AsyncDisposable {
  readonly context: BrowserContext;
}

/**
 * Opens the installed Chromium without a window.
 * @param args further switches of the program
 * @throws Error if none is installed; tests that need one end in `.browser.test.ts` and run only if there is
 * one
 */
export async function openBrowser({ args = [] }: { args?: readonly string[] } = {}): Promise<TestBrowser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  // The sandbox needs rights that containers lack; the pages are our own.
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
  });
  const context = await browser.newContext();
  return { context, [Symbol.asyncDispose]: () => browser.close() };
}
