import { createApp } from '@gatehouse/api-admin/app';
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
const PASSWORD = 'Lantern-Harbor-42';

export type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

/** The console at a service of its own, in a browser. */
export interface OpenConsole extends AsyncDisposable {
  readonly service: RunningService;
  readonly page: Page;
  /** What the console of the browser and the policy complained about. Refusals of the service are part of the tests. */
  readonly complaints: readonly string[];
  /** The address of a screen. */
  at(screen: string): string;
}

const REFUSAL = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Starts api-admin at localhost, where browsers have passkeys, and opens a page. Needs a build of the console. */
export async function openConsole(
  dialect: TestDialect,
  env: Readonly<Record<string, string>> = {},
): Promise<OpenConsole> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const service = await startService(createApp, {
    dialect,
    application: 'admin',
    port,
    env: { ...developmentEnvironment(url), ...env },
  });
  const browser = await openBrowser();
  const complaints: string[] = [];
  const page = await browser.context.newPage();
  page.on('console', (message) => {
    const isRefusal = message.location().url.includes('/trpc/') && REFUSAL.test(message.text());
    if (!isRefusal) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.exposeFunction('tellViolation', (text: string) => void complaints.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    tellViolation('refused by the policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`);
  return {
    service,
    page,
    complaints,
    at: (screen) => `${url}/console/${screen}`,
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Signs staff in by their password, and opens a screen. */
export async function signInAs(console: OpenConsole, email: string, screen = ''): Promise<void> {
  await sendSignIn(console, email, screen);
  await console.page.locator('nav').first().waitFor({ state: 'attached' });
  await console.page.locator('h1').waitFor();
}

/** Fills in the form of the sign-in, and sends it. */
export async function sendSignIn({ page, at }: OpenConsole, email: string, screen = ''): Promise<void> {
  const next = `/console/${screen}`;
  await page.goto(at(`sign-in?${new URLSearchParams({ next }).toString()}`));
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What axe finds in a page as it is now. */
async function findingsOfAxe(page: Page): Promise<string[]> {
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
