import { createApp } from '@gatehouse/api-main/app';
import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { findFreePort, printMeasurements, startService } from '@gatehouse/testkit';
import { openBrowser, type TestBrowser } from '@gatehouse/testkit/browser';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { installPackedClient } from './test/install-packed-client.js';
import { installReact18 } from './test/install-react-18.js';
import { pageScript, reactPageScript } from './test/page-script.js';
import { serveBundledPage } from './test/serve-bundled-page.js';

const dialect = inject('dialect');

/** The service, six simulated providers, and a front end on another origin that uses the packed client. */
async function start() {
  const [frontPort, port, reactPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const simulator = await startProviderSimulator();
  const service = await startService(createApp, {
    dialect,
    application: 'web',
    port,
    env: {
      ...providerEnvironment(simulator.url),
      BASE_URL: `http://127.0.0.1:${port}`,
      APP_URL: `http://127.0.0.1:${frontPort}`,
      CORS_ORIGINS: `http://127.0.0.1:${reactPort}`,
    },
  });
  const packed = await installPackedClient();
  const proxy = await serveBundledPage(packed, { script: pageScript(service.url), port: frontPort });
  return {
    service,
    proxy,
    packed,
    reactPort,
    async [Symbol.asyncDispose]() {
      for (const part of [proxy, packed, service, simulator]) await part[Symbol.asyncDispose]();
    },
  };
}

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const says = (page: Page, id: string, text: string) => page.locator(`#${id}`, { hasText: text }).waitFor();

describe('the packed client in a browser', { timeout: 120_000 }, () => {
  let world: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    world = await start();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('signs in, acts in accounts, and signs out every tab at once', async () => {
    await using browser = await openBrowser();
    const { context } = browser;
    printMeasurements('the client in a bundle', { gzippedBytes: world.proxy.gzippedBytes });
    expect(world.proxy.gzippedBytes).toBeLessThan(20_000);
    const [one, other] = [await context.newPage(), await context.newPage()];
    await Promise.all([one.goto(world.proxy.url), other.goto(world.proxy.url)]);
    await press(one, 'Sign in');
    await says(one, 'session', 'signed in: signedIn');
    await says(other, 'session', 'signed in: elsewhere');
    await press(other, 'Members');
    await says(other, 'members', '7 members, true');
    await press(one, 'Keep in this tab');
    await Promise.all([one.reload(), other.reload()]);
    await says(one, 'session', 'signed in: at first');
    await says(one, 'tab', 'kept');
    await says(other, 'tab', 'nothing');
    await press(one, 'Sign out');
    await says(one, 'session', 'signed out: signedOut');
    await says(other, 'session', 'signed out: elsewhere');
    await press(other, 'Who am I');
    await says(other, 'problem', 'Sign in to continue.');
  });

  it('signs in at a provider, connects another, reports a refusal, and asks in a tab that did not begin the sign-in', async () => {
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(world.proxy.url);
    await press(page, 'Sign in with Google');
    await page.getByLabel('E-mail address').fill('ada@byron.test');
    await press(page, 'Allow');
    await says(page, 'end', 'signedIn');
    await says(page, 'again', 'the same');
    expect(page.url()).toBe(`${world.proxy.url}/socialAuth`);
    await press(page, 'Connect GitHub');
    await press(page, 'Allow');
    await says(page, 'end', 'connected github');
    await says(page, 'again', 'the same');
    await press(page, 'Connect GitHub');
    await press(page, 'Cancel');
    await says(page, 'end', 'refused access_denied');
    await says(page, 'again', 'the same');
    await press(page, 'Who am I');
    await page.locator('#me').waitFor();

    await press(page, 'Sign out');
    await says(page, 'session', 'signed out: signedOut');
    await page.goto(`${world.service.url}/social/google`);
    await press(page, 'Allow');
    await says(page, 'end', 'unexpected');
    await says(page, 'again', 'the same');
    await says(page, 'session', 'signed out: at first');
    await press(page, 'Continue');
    await says(page, 'session', 'signed in: signedIn');
  });

  it('has hooks that work in React 18', async () => {
    const { packed, service, reactPort: port } = world;
    await installReact18(packed);
    await using front = await serveBundledPage(packed, { script: reactPageScript(service.url), port });
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(front.url);
    const isSaid = (text: string) =>
      expect.poll(() => page.locator('#said').textContent(), { timeout: 20_000 }).toBe(`18 | ${text}`);
    await isSaid('false |  |  |  | false');
    await press(page, 'Sign in');
    await isSaid('true | signedIn | owner@acme.test | Acme Studio | true');
    await press(page, 'Switch');
    await isSaid('true | signedIn | owner@acme.test | Birch & Co | true');
    await page.reload();
    await isSaid('true |  | owner@acme.test | Birch & Co | true');
    await press(page, 'Sign out');
    await isSaid('false | signedOut |  |  | false');
  });
});
