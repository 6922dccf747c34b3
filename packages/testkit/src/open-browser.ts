import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.js';
import { countRequests } from './settle.js';

/** A browser with profiles of its own, closed on disposal. */
export interface TestBrowser extends AsyncDisposable {
  readonly context: BrowserContext;
  /** Another profile, such as that of another person. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
}

/** Chromium without further switches. The tests of a file share it, as starting it costs more than most of them. */
let shared: Promise<Browser> | undefined;

/**
 * Opens the installed Chromium without a window.
 * @param args further switches of the program, which is then of its own
 * @throws Error if none is installed; tests that need one end in `.browser.test.ts` and run only if there is
 * one
 */
export async function openBrowser({ args = [] }: { args?: readonly string[] } = {}): Promise<TestBrowser> {
  const isShared = args.length === 0;
  if (isShared) shared ??= launch([]);
  const browser = await (isShared && shared ? shared : launch(args));
  const contexts: BrowserContext[] = [];
  const newContext: TestBrowser['newContext'] = async (options) => {
    const context = await browser.newContext(options);
    contexts.push(context);
    countRequests(context);
    return context;
  };
  return {
    context: await newContext(),
    newContext,
    async [Symbol.asyncDispose]() {
      if (!isShared) return browser.close();
      for (const context of contexts) await context.close();
    },
  };
}

/** Ends the browser that the tests of a file shared. */
export async function closeSharedBrowser(): Promise<void> {
  const browser = await shared;
  shared = undefined;
  await browser?.close();
}

async function launch(args: readonly string[]): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  // The sandbox needs rights that containers lack; the pages are our own.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] });
}
