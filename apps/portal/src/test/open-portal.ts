import { createApp } from '@gatehouse/api-main/app';
import {
  developmentEnvironment,
  findFreePort,
  openBrowser,
  type RunningService,
  startService,
  type TestBrowser,
  type TestDialect,
} from '@gatehouse/testkit';
import axe from 'axe-core';

/** Everybody of the demonstration has it. */
export const PASSWORD = 'Lantern-Harbor-42';

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

/** The portal at a service of its own, in a browser. */
export interface OpenPortal extends AsyncDisposable {
  readonly service: RunningService;
  readonly browser: TestBrowser;
  readonly page: Page;
  /** What the console and the policy complained about. Refusals of the service are part of the tests. */
  readonly complaints: readonly string[];
  /** The address of a screen. */
  at(screen: string): string;
  /** Lets time pass for the service. */
  wait(ms: number): void;
  nowMs(): number;
  /** Another tab, or a tab of another person. */
  newPage(options?: { readonly isOtherPerson?: boolean }): Promise<Page>;
}

const REFUSAL = /Failed to load resource: the server responded with a status of (?!404)4\d\d/;

/**
 * Starts api-main at localhost, where browsers have passkeys, and opens a page. Needs a build of the portal.
 * @param env variables besides those of development
 */
export async function openPortal(
  dialect: TestDialect,
  env: Readonly<Record<string, string>> = {},
): Promise<OpenPortal> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  let passedMs = 0;
  const nowMs = () => Date.now() + passedMs;
  const service = await startService(createApp, {
    dialect,
    now: nowMs,
    application: 'web',
    port,
    env: { ...developmentEnvironment(url), ...env },
  });
  const browser = await openBrowser();
  const complaints: string[] = [];

  const newPage: OpenPortal['newPage'] = async ({ isOtherPerson = false } = {}) => {
    const context = isOtherPerson
      ? await browser.context.browser()?.newContext({ locale: 'en-US' })
      : browser.context;
    if (context === undefined) throw new Error('The browser is closed');
    const page = await context.newPage();
    page.on('console', (message) => {
      if (!REFUSAL.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => void complaints.push(error.message));
    await page.exposeFunction('tellViolation', (text: string) => void complaints.push(text));
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      tellViolation('refused by the policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`);
    return page;
  };

  return {
    service,
    browser,
    page: await newPage(),
    complaints,
    nowMs,
    wait: (ms) => {
      passedMs += ms;
    },
    at: (screen) => `${url}/portal/${screen}`,
    newPage,
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** What axe finds in a page as it is now. */
export async function findingsOfAxe(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // By the debugger, because the policy of the page forbids code that is made of text.
  await session.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'axe.run().then(({ violations }) => JSON.stringify(violations))',
    awaitPromise: true,
  });
  await session.detach();
  const violations = JSON.parse(String(result.value)) as axe.Result[];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

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
        flaws.push(...(await findingsOfAxe(page)).map((finding) => `${where}: ${finding}`));
      }
    }
  }
  await page.evaluate("document.documentElement.dir = 'ltr'");
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  return flaws;
}
