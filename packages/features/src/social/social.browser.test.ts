import { PROVIDER_KEYS, type ProviderKey } from '@gatehouse/simulator';
import { findFreePort, signIn } from '@gatehouse/testkit';
import { openBrowser, type TestBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { countRows } from '../test/count-rows.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');

const NAMES: Readonly<Record<ProviderKey, string>> = {
  google: 'Google',
  github: 'GitHub',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  twitter: 'X',
  tiktok: 'TikTok',
};

/** A service that is its own front end, at an address providers can redirect to. */
async function start() {
  const port = await findFreePort();
  const here = `http://127.0.0.1:${port}`;
  const world = await startSocialWorld({
    dialect,
    port,
    env: { BASE_URL: here, APP_URL: here, PORTAL: 'off' },
  });
  return { ...world, here, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

describe('in a browser', { timeout: 120_000 }, () => {
  it('a person signs in with each of the six, by clicking, and the token in the address works once', async () => {
    await using world = await start();
    const { here, service } = world;
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => void problems.push(error.message));
    const ids = new Set<number>();
    for (const key of PROVIDER_KEYS) {
      await page.goto(`${here}/socialAuth`);
      await page.getByRole('link', { name: `Sign in with ${NAMES[key]}`, exact: true }).click();
      expect(await heading(page)).toBe(`${NAMES[key]}, simulated`);
      await page.getByLabel('E-mail address').fill(`${key}@rivera.test`);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${here}/socialAuth?user=**`);
      const landed = page.url();
      expect(await browser.context.cookies()).toEqual([]);

      await page.getByRole('button', { name: 'Continue' }).click();
      expect(await heading(page)).toBe('You are signed in');
      const session = await page.getByLabel('Your session token').inputValue();
      const me = await service.send('/auth/me', { token: session });
      expect([key, me.status]).toEqual([key, 200]);
      ids.add(((await me.json()) as { member: { id: number } }).member.id);

      const token = new URL(landed).searchParams.get('user');
      const second = await service.send('/webauthenticate', { body: { social: true, token } });
      expect(second.status).toBe(403);
      await page.goto(landed);
      await page.getByRole('button', { name: 'Continue' }).click();
      expect(await page.getByRole('alert').textContent()).toContain('no longer valid');
    }
    expect(ids.size).toBe(6);
    expect(problems).toEqual([]);
  });

  it('a person who declines is told so, and nobody is signed in', async () => {
    await using world = await start();
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(`${world.here}/social/github`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(`${world.here}/socialAuth?error=access_denied`);
    expect(await page.getByRole('alert').textContent()).toContain('access was not granted');
    expect(await countRows(world.service.database)).toMatchObject({ members: 11, sessions: 0 });
  });

  it('a member connects a profile, and nothing through the link of another member', async () => {
    await using world = await start();
    const { here, service } = world;
    const attacker = await signIn(service, 'contributor@acme.test');
    const victim = await signIn(service, 'owner@acme.test');
    const begun = await service.send('/auth/connections/start', {
      token: attacker.token,
      body: { provider: 'google' },
    });
    const { url } = (await begun.json()) as { url: string };
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const consent = async () => {
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${here}/socialAuth?code=**`);
    };
    const finishWith = async (session: string) => {
      await page.getByLabel('Your session token').fill(session);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
    };
    // The victim opens the attacker's link on the attacker's page, and even confirms.
    await page.setContent(`<a href="${url}">Win a prize</a>`);
    await page.getByRole('link').click();
    await consent();
    await finishWith(victim.token);
    expect(await page.getByRole('alert').textContent()).toContain('no longer valid');
    expect(await countRows(service.database)).toMatchObject({ socialConnections: 0 });

    const own = await service.send('/auth/connections/start', {
      token: victim.token,
      body: { provider: 'google' },
    });
    await page.goto(((await own.json()) as { url: string }).url);
    await consent();
    await finishWith(victim.token);
    expect(await heading(page)).toBe('Connected');
    const list = await service.send('/auth/connections', { token: victim.token });
    expect(await list.json()).toMatchObject({ data: [{ provider: 'google', token_status: 'valid' }] });
  });
});
