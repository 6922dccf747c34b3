import { createApp } from '@gatehouse/api-main/app';
import {
  developmentEnvironment,
  findFreePort,
  type RunningService,
  startService,
  type TestDialect,
} from '@gatehouse/testkit';
import { collectComplaints, openBrowser, type TestBrowser } from '@gatehouse/testkit/browser';

/** Everybody of the demonstration has it. */
export const PASSWORD = 'Lantern-Harbor-42';

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

/** The portal at a service of its own, in a browser. */
export interface OpenPortal extends AsyncDisposable {
  readonly service: RunningService;
  readonly browser: TestBrowser;
  readonly page: Page;
  /** The errors of the browser's console and of the content security policy, without refusals of the service. */
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
    const context = isOtherPerson ? await browser.newContext({ locale: 'en-US' }) : browser.context;
    const page = await context.newPage();
    await collectComplaints(page, complaints, (message) => REFUSAL.test(message.text()));
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
