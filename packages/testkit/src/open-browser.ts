import { mkdirSync, writeFileSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
} from 'playwright-core';
import { findChromium } from './find-chromium.js';
import { screenShown } from './screen-shown.js';
import { countRequests, settle } from './settle.js';

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
 * @param args further switches of the program; a separate one is then started
 * @throws Error if none is installed; tests that need one end in `.browser.test.ts` and run only if there is one
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

/**
 * Collects what the console of a browser and the policy of a page complain about.
 * @param isExpected tells messages that are part of a test, such as a refusal of the service
 */
export async function collectComplaints(
  page: Page,
  complaints: string[],
  isExpected: (message: ConsoleMessage) => boolean,
): Promise<void> {
  page.on('console', (message) => {
    if (!isExpected(message)) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.exposeFunction('tellViolation', (text: string) => void complaints.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    tellViolation('refused by the policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`);
}

const FOLDER = new URL('../../../docs/pictures/', import.meta.url);

const QUALITY = 80;

/** How much of a screen the pictures of the documents show. */
export const DESK = { width: 1280, height: 800 };

export const PHONE = { width: 360, height: 740 };

/** Takes a picture of a page for the documents, once it shows its heading and has loaded everything. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await screenShown(page);
  await settle(page);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await devtools.detach();
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL(`${name}.webp`, FOLDER), Buffer.from(data, 'base64'));
}
