import { createServer } from 'node:http';
import {
  type EnrolledMember,
  type FactorWorld,
  startFactorWorld,
} from '@gatehouse/features/test/factor-world';
import { findFreePort } from '@gatehouse/testkit';
import { openBrowser, type TestBrowser } from '@gatehouse/testkit/browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoLockOut, FEW_FAILURES } from './test/expect-no-lock-out.js';
import { type PackedExample, packExample } from './test/pack-example.js';
import { buildNext, type NextServer, startNext } from './test/run-next.js';

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

const OWNER = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };
const COOKIE = '__Host-gatehouse';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const sees = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
const isTold = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

async function tokenOf(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === COOKIE)?.value;
}

describe('the example in Next.js', { timeout: 180_000 }, () => {
  let example: PackedExample;
  let world: FactorWorld;
  let front: NextServer;
  let browser: TestBrowser;
  let enrolled: EnrolledMember;
  beforeAll(async () => {
    example = await packExample('nextjs');
    [world] = await Promise.all([startFactorWorld(FEW_FAILURES, 'libsql'), buildNext(example.folder)]);
    front = await startNext(example.folder, {
      port: await findFreePort(),
      gatehouseUrl: world.main.url,
    });
    enrolled = await world.enrolled();
    browser = await openBrowser();
  }, 180_000);
  afterAll(async () => {
    for (const part of [browser, front, world, example]) await part?.[Symbol.asyncDispose]();
  });

  async function open(options: Parameters<TestBrowser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(front.url);
    return page;
  }

  it.each([true, false])(
    'signs in, lists, switches, is refused and signs out; JavaScript: %s',
    async (runs) => {
      const page = await open({ javaScriptEnabled: runs });
      expect(page.url()).toBe(`${front.url}/sign-in`);
      await signIn(page, { ...OWNER, password: 'Lantern-Harbour-41' });
      await isTold(page, 'The email or the password is wrong.');
      expect(await tokenOf(page)).toBeUndefined();

      await signIn(page, OWNER);
      await sees(page, 'Hello, owner');
      const [cookie] = (await page.context().cookies()).filter(({ name }) => name === COOKIE);
      expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
      expect(await page.content()).not.toContain(cookie?.value.slice(0, 30));
      expect(await page.getByRole('listitem').count()).toBe(7);

      const accounts = page.getByLabel('Account');
      const [first = '', second = ''] = await accounts.locator('option').allTextContents();
      await sees(page, first);
      await accounts.selectOption(second);
      await press(page, 'Switch');
      await sees(page, second);
      const held = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      const colleagues = async (headers: Record<string, string>) => {
        const answer = await fetch(`${front.url}/api/colleagues`, { headers });
        return [answer.status, await answer.json()];
      };
      expect(await colleagues({ cookie: held })).toEqual([
        200,
        { member: expect.any(Number), account: expect.any(Number) },
      ]);
      expect(await colleagues({})).toEqual([401, { code: 'unauthorized' }]);
      // Refused by the service, and nothing has changed there.
      await page.getByLabel('New name').fill('Ours now');
      await press(page, 'Rename');
      await isTold(page, 'You are not permitted to do this.');
      const kept = await (await world.main.send('/auth/me', { token: cookie?.value ?? '' })).text();
      expect([kept.includes(second), kept.includes('Ours now')]).toEqual([true, false]);
      const answer = await page.goto(front.url);
      await sees(page, second);
      // No cache keeps one visitor's page for another.
      expect(answer?.headers()['cache-control']).toMatch(/private.*no-store|no-store/);

      await press(page, 'Sign out');
      await sees(page, 'Sign in');
      expect(await tokenOf(page)).toBeUndefined();
      expect((await world.main.send('/auth/me', { token: cookie?.value ?? '' })).status).toBe(401);
      await page.goto(front.url);
      await sees(page, 'Sign in');
    },
  );

  it('accepts forms before its JavaScript has loaded, and the second step', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/*.js', async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(front.url, { waitUntil: 'commit' });
    await signIn(page, { email: enrolled.email, password: OWNER.password });
    await sees(page, 'One more step');
    await page.getByLabel('Code of your app').fill(enrolled.wrongCode());
    await press(page, 'Continue');
    await page.getByRole('status').waitFor();
    arrive();
    world.wait(60_000);
    await page.getByLabel('Code of your app').fill(enrolled.code());
    await press(page, 'Continue');
    await sees(page, /^Hello/);
    expect((await context.cookies()).map(({ name }) => name)).not.toContain(`${COOKIE}-challenge`);
  });

  it('asks for a proof, refreshes before it renders, and ends with its session', async () => {
    const page = await open();
    await signIn(page, OWNER);
    await sees(page, 'Hello, owner');
    const { iat, exp } = JSON.parse(atob((await tokenOf(page))?.split('.')[1] ?? '')) as Record<
      'iat' | 'exp',
      number
    >;
    const lifeMs = (exp - iat) * 1000;
    await press(page, 'Sign out');

    // A session that began so long ago that it is due.
    world.wait(-0.6 * lifeMs);
    await sees(page, 'Sign in');
    await signIn(page, OWNER);
    await sees(page, 'Hello, owner');
    const old = await tokenOf(page);
    world.wait(0.6 * lifeMs);
    await page.goto(front.url);
    await sees(page, 'Hello, owner');
    const renewed = await tokenOf(page);
    expect(renewed).not.toBe(old);

    // Due again, and the next action is to sign out: the refreshed session does not outlive it.
    world.wait(0.6 * lifeMs);
    await press(page, 'Sign out');
    await sees(page, 'Sign in');
    expect(await tokenOf(page)).toBeUndefined();
    for (const token of [old, renewed])
      expect((await world.main.send('/auth/me', { token: token ?? '' })).status).toBe(401);
    world.wait(-1.2 * lifeMs);
    await signIn(page, OWNER);
    await sees(page, 'Hello, owner');
    world.wait(0.6 * lifeMs);

    // The proof is old too.
    const address = 'New e-mail address';
    await page.getByLabel(address).fill('owner@new.test');
    await press(page, 'Change address');
    await page.getByLabel('Your password, again').fill('Lantern-Harbour-41');
    await press(page, 'Change address');
    await isTold(page, 'The email or the password is wrong.');
    expect(await page.getByLabel(address).inputValue()).toBe('owner@new.test');
    await page.getByLabel('Your password, again').fill(OWNER.password);
    await press(page, 'Change address');
    await isTold(page, 'Follow the links in the mails that you get now');

    // Signed out everywhere, from another browser.
    const elsewhere = await open();
    await signIn(elsewhere, OWNER);
    await sees(elsewhere, 'Hello, owner');
    await press(elsewhere, 'Sign out everywhere');
    await sees(elsewhere, 'Sign in');
    await page.goto(front.url);
    await isTold(page, 'Your session has ended.');

    await signIn(page, OWNER);
    await sees(page, 'Hello, owner');
    // Expired at the service, while the cookie still exists.
    world.wait(lifeMs + 60_000);
    await page.goto(front.url);
    await isTold(page, 'Your session has ended.');
    world.wait(-lifeMs - 60_000);
  });

  it.each([true, false])(
    'asks for a code when the second factor is the proof; JavaScript: %s',
    async (runs) => {
      const member = await world.enrolled();
      const page = await open({ javaScriptEnabled: runs });
      await signIn(page, { email: member.email, password: OWNER.password });
      await page.getByLabel('Code of your app').fill(member.code());
      await press(page, 'Continue');
      await sees(page, /^Hello/);
      world.wait(11 * 60_000);
      const address = 'New e-mail address';
      await page.getByLabel(address).fill(`new-${member.email}`);
      await press(page, 'Change address');
      await page.getByLabel('Code of your app').fill(member.wrongCode());
      await press(page, 'Change address');
      await page.getByRole('status').waitFor();
      expect(await page.getByLabel(address).inputValue()).toBe(`new-${member.email}`);
      await page.getByLabel('Code of your app').fill(member.backupCodes[0] ?? '');
      await press(page, 'Change address');
      await isTold(page, 'Follow the links in the mails that you get now');
    },
  );

  it('keeps an attacker who guesses passwords from locking others out, with any forged address', async () => {
    const fields = await fieldsOf(await open(), 'Sign in');
    const signsIn = async (forwardedFor: string, member: { email: string; password: string }) => {
      await using context = await browser.newContext();
      const answer = await context.request.post(`${front.url}/sign-in`, {
        multipart: { ...fields, ...member },
        headers: { 'x-forwarded-for': forwardedFor },
        maxRedirects: 0,
      });
      return answer.status() === 303;
    };
    await expectNoLockOut(signsIn, await world.member(), await world.member());
  });

  it('sends visitors without a session from every page to sign in, at the address that they see', async () => {
    const seen = { 'x-forwarded-host': 'app.example.com', 'x-forwarded-proto': 'https' };
    for (const headers of [{}, seen]) {
      const answer = await fetch(`${front.url}/no/such/page`, { headers, redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([307, '/sign-in']);
    }
    expect((await fetch(`${front.url}/no-such-picture.svg`, { redirect: 'manual' })).status).toBe(404);
  });

  it('changes nothing for pages of other sites: forms, fetches, navigations and images', async () => {
    const attacker = { email: 'owner@birch.test', password: OWNER.password };
    const victims = [
      { action: 'Sign out', fill: {}, isSignedIn: true },
      { action: 'Sign in', fill: attacker, isSignedIn: false },
    ];
    for (const { action, fill, isSignedIn } of victims) {
      const page = await open();
      if (isSignedIn) {
        await signIn(page, OWNER);
        await sees(page, 'Hello, owner');
      }
      const fields = { ...(await fieldsOf(page, action)), ...fill };
      await using foreign = await startForeignPage(page.url(), fields);
      const before = await page.context().cookies();
      const stranger = await page.context().newPage();
      for (const id of ['form', 'plain', 'frame', 'nowhere', 'link']) {
        await stranger.goto(foreign.url);
        const answered = stranger.waitForResponse((answer) => answer.url().startsWith(front.url));
        const from = id === 'nowhere' ? stranger.frameLocator('#sandbox') : stranger;
        await from.locator(`#${id}`).click();
        await answered;
      }
      await stranger.goto(foreign.url);
      await stranger.evaluate('attack()');
      expect([action, await page.context().cookies()]).toEqual([action, before]);
      await page.goto(front.url);
      await sees(page, isSignedIn ? 'Hello, owner' : 'Sign in');

      // The same request from the example's own page has its effect.
      await page.evaluate(`(async () => {
        const body = new FormData();
        for (const [name, value] of Object.entries(${JSON.stringify(fields)})) body.append(name, value);
        await fetch(location.href, { method: 'POST', body });
      })()`);
      expect([action, await tokenOf(page)]).toEqual([
        action,
        isSignedIn ? undefined : expect.stringContaining('eyJ'),
      ]);
    }
  });
});

/** The hidden fields of a form, as a page without JavaScript has them. */
async function fieldsOf(page: Page, button: string): Promise<Record<string, string>> {
  const html = await (await page.context().request.get(page.url())).text();
  const form = html.split('<form').find((each) => each.includes(`>${button}<`)) ?? '';
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)];
  expect(fields.length).toBeGreaterThan(0);
  return Object.fromEntries(
    fields.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')]),
  );
}

const escapeAttribute = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A page of another site that sends the requests of the example's own forms. */
async function startForeignPage(target: string, fields: Readonly<Record<string, string>>) {
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`)
    .join('');
  const form = (id: string, more: string) =>
    `<form method="post" action="${target}" ${more}>${inputs}<button id="${id}">Go</button></form>`;
  const actions = Object.keys(fields).filter((name) => name.startsWith('$ACTION_'));
  const html = `<!doctype html><title>Foreign</title>
    ${form('form', 'enctype="multipart/form-data"')}${form('plain', '')}
    ${form('frame', 'enctype="multipart/form-data" target="inner"')}<iframe name="inner"></iframe>
    <iframe id="sandbox" sandbox="allow-forms allow-top-navigation" srcdoc="${escapeAttribute(
      form('nowhere', 'enctype="multipart/form-data" target="_top"'),
    )}"></iframe>
    <a id="link" href="${target}">Link</a>
    <script>
      async function attack() {
        const fields = new FormData();
        for (const [name, value] of Object.entries(${JSON.stringify(fields)})) fields.append(name, value);
        const id = ${JSON.stringify(actions[0] ?? '')}.replace('$ACTION_ID_', '');
        const tries = [
          { method: 'POST', mode: 'no-cors', body: fields },
          { method: 'POST', mode: 'no-cors', body: '[]', headers: { 'content-type': 'text/plain' } },
          { method: 'POST', body: '[]', headers: { 'next-action': id } },
          { method: 'DELETE' },
          { method: 'PUT', body: '[]' },
        ];
        for (const each of tries)
          await fetch('${target}', { credentials: 'include', ...each }).catch(() => {});
        await new Promise((resolve) => {
          const image = new Image();
          image.onload = image.onerror = resolve;
          image.src = '${target}';
        });
      }
    </script>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    // Another site than 127.0.0.1.
    url: `http://localhost:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
