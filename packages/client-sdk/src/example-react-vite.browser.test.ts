import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startFactorWorld } from '@gatehouse/features/test/factor-world';
import { openBrowser, type TestBrowser } from '@gatehouse/testkit/browser';
import { build, preview } from 'vite';
import { describe, expect, it } from 'vitest';
import { packExample } from './test/pack-example.js';

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

const OWNER = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };

const run = promisify(execFile);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const sees = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

/** The example, built and served, with the service behind it. */
async function start() {
  const world = await startFactorWorld({}, 'libsql');
  const example = await packExample('react-vite');
  const root = example.folder;
  const logLevel = 'error';
  await build({ root, configFile: false, logLevel });
  const proxy = {
    '/gatehouse': { target: world.main.url, rewrite: (path: string) => path.replace('/gatehouse', '') },
  };
  const server = await preview({
    root,
    configFile: false,
    logLevel,
    preview: { host: '127.0.0.1', port: 0, proxy },
  });
  const address = server.httpServer.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    world,
    folder: root,
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      await server.close();
      await example[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

describe('the example in React', { timeout: 120_000 }, () => {
  it('signs in, in two steps too, switches, lists, is refused, refreshes, and ends with its session', async () => {
    await using front = await start();
    const { world } = front;
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(front.url);
    await signIn(page, { ...OWNER, password: 'Lantern-Harbour-41' });
    await page.getByText('The email or the password is wrong.', { exact: true }).waitFor();
    await signIn(page, OWNER);
    await sees(page, 'Hello, owner');
    // StrictMode runs effects twice, and four components use it: one call.
    expect(asked.filter((path) => path.includes('session.me'))).toHaveLength(1);
    expect(await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }])')).not.toContain(
      'eyJ',
    );
    await expect.poll(() => page.getByRole('listitem').count()).toBe(7);

    const [first = '', second = ''] = await page.locator('option').allTextContents();
    await sees(page, first);
    await page.getByLabel('Account').selectOption(second);
    await sees(page, second);
    await page.getByText('You may not rename this account.').waitFor();
    await page.getByLabel('New name').fill('Ours now');
    await press(page, 'Rename');
    await page.getByText('You are not permitted to do this.', { exact: true }).waitFor();
    const cookie = async () => (await browser.context.cookies())[0]?.value;
    const kept = await (await world.main.send('/auth/me', { token: (await cookie()) ?? '' })).text();
    expect([kept.includes(second), kept.includes('Ours now')]).toEqual([true, false]);
    await page.reload();
    await sees(page, second);

    // A page that does not know its browser's cookie finds it, and shows no sign-in meanwhile.
    const unknowing = await browser.context.newPage();
    await unknowing.addInitScript(`localStorage.clear();
      new MutationObserver(() => { if (document.querySelector('[type=password]')) window.wasAsked = true; })
        .observe(document, { childList: true, subtree: true });`);
    await unknowing.goto(front.url);
    await sees(unknowing, 'Hello, owner');
    expect(await unknowing.evaluate('window.wasAsked')).toBeUndefined();
    await unknowing.close();

    // Another tab signs out, and this one is notified.
    const tab = await browser.context.newPage();
    await tab.goto(front.url);
    await press(tab, 'Sign out');
    await sees(page, 'Sign in');

    // Ended at the service: the next call shows it.
    await signIn(page, OWNER);
    await sees(page, first);
    // Its list is the last call for now.
    await expect.poll(() => page.getByRole('listitem').count()).toBe(7);
    const { data } = await world.signIn({ ...(await world.member()), email: OWNER.email });
    await world.call('session.endMany', { others: true }, { token: String(data['token']) });
    await page.getByLabel('Account').selectOption(second);
    await page.getByText('Your session has ended.').waitFor();

    // Past half of its life the session is refreshed while it is used.
    await signIn(page, OWNER);
    await sees(page, first);
    const before = await cookie();
    await page.evaluate(`(() => {
      const key = 'gatehouse.session ' + location.origin + '/gatehouse';
      const kept = JSON.parse(localStorage.getItem(key));
      kept.issuedAtMs -= (kept.expiresAtMs - kept.issuedAtMs) * 2;
      localStorage.setItem(key, JSON.stringify(kept));
    })()`);
    world.wait(20 * 60_000);
    await page.getByLabel('Account').selectOption(second);
    await sees(page, second);
    await expect
      .poll(() => asked.filter((path) => path.includes('session.refresh')).length)
      .toBeGreaterThan(0);
    expect(before).toBeDefined();
    await press(page, 'Sign out');

    const enrolled = await world.enrolled();
    await signIn(page, { email: enrolled.email, password: OWNER.password });
    await page.getByLabel('Code of your app').fill(enrolled.code());
    await press(page, 'Continue');
    await sees(page, /^Hello/);
    await press(page, 'Sign out');
    await sees(page, 'Sign in');
    await expect.poll(() => browser.context.cookies()).toEqual([]);

    // A page that cannot ask says so, and asks again when the network is back.
    await signIn(page, OWNER);
    await sees(page, first);
    const isAway = async () => page.route('**/gatehouse/**', (route) => route.abort());
    const comesBack = async () => {
      await page.unroute('**/gatehouse/**');
      await page.evaluate("window.dispatchEvent(new Event('online'))");
    };
    await isAway();
    await page.reload();
    await page.getByText('The service cannot be reached.').waitFor();
    await comesBack();
    await sees(page, first);

    // A sign-out that does not reach the service fails, and may be tried again.
    await isAway();
    const told = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.accept();
      return dialog.message();
    });
    await press(page, 'Sign out');
    expect(await told).toContain('still signed in');
    await comesBack();
    await sees(page, first);
    await press(page, 'Sign out');
    await sees(page, 'Sign in');
    expect(await browser.context.cookies()).toEqual([]);

    const program = fileURLToPath(new URL('../node_modules/@typescript/native/bin/tsc', import.meta.url));
    await run(process.execPath, [program, '-p', front.folder]);
  });
});
