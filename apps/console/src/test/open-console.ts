import { createApp } from '@gatehouse/api-admin/app';
import {
  developmentEnvironment,
  findFreePort,
  type RunningService,
  startService,
  type TestDialect,
} from '@gatehouse/testkit';
import { collectComplaints, openBrowser, screenShown, type TestBrowser } from '@gatehouse/testkit/browser';

/** Everybody of the demonstration has it. */
export const PASSWORD = 'Lantern-Harbor-42';

export type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

/** The console at a service of its own, in a browser. */
export interface OpenConsole extends AsyncDisposable {
  readonly service: RunningService;
  readonly page: Page;
  /** The errors of the browser's console and of the content security policy, without refusals of the service. */
  readonly complaints: readonly string[];
  /** The address of a screen. */
  at(screen: string): string;
  /** A page in another profile. */
  newPage(options: { readonly isOtherPerson: true }): Promise<Page>;
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
  const newPage = async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    return context.newPage();
  };
  const isRefusal = (message: { location(): { url: string }; text(): string }) =>
    message.location().url.includes('/trpc/') && REFUSAL.test(message.text());
  await collectComplaints(page, complaints, isRefusal);
  return {
    service,
    page,
    complaints,
    newPage,
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
  await screenShown(console.page);
}

/** Fills in the form of the sign-in, and sends it. */
export async function sendSignIn({ page, at }: OpenConsole, email: string, screen = ''): Promise<void> {
  const next = `/console/${screen}`;
  await page.goto(at(`sign-in?${new URLSearchParams({ next }).toString()}`));
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
