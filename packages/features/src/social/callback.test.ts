// @module-tag slow

import { giveConsent, type Misbehaviour, PROVIDER_KEYS } from '@gatehouse/simulator';
import { describe, expect, inject, it } from 'vitest';
import { countRows } from '../test/count-rows.js';
import { createSocialBrowser, type SocialBrowser } from '../test/social-browser.js';
import { type SocialWorld, startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const start = (options: { now?: () => number; env?: Record<string, string> } = {}) =>
  startSocialWorld({ dialect, ...options });

const FRONT_END = 'http://app.gatehouse.test/socialAuth';

/** Begins at a provider and consents, but does not open the callback address. */
async function readyToReturn(browser: SocialBrowser, key: string): Promise<URL> {
  const { location } = await browser.open(`/social/${key}`);
  return new URL(await giveConsent(location));
}

/** Opens an address and expects the front end to get this reason, quickly, with no data left behind. */
async function expectRefusal(
  { service }: SocialWorld,
  browser: SocialBrowser,
  address: string | URL,
  code: string,
): Promise<void> {
  const before = await countRows(service.database);
  const startedAt = performance.now();
  const { status, location, response } = await browser.open(String(address));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect({ status, location }).toEqual({ status: 302, location: `${FRONT_END}?error=${code}` });
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await countRows(service.database)).toEqual(before);
}

describe('the state of a social sign-in', () => {
  it('is refused when it is absent, foreign, changed, repeated or sent without the cookie', async () => {
    await using world = await start();
    const browser = createSocialBrowser(world.service);
    const stranger = createSocialBrowser(world.service);
    const callback = await readyToReturn(browser, 'google');
    const theirs = await readyToReturn(stranger, 'google');
    const withState = (edit: (query: URLSearchParams) => void) => {
      const copy = new URL(callback);
      edit(copy.searchParams);
      return copy;
    };
    const refused = [
      withState((query) => {
        query.delete('state');
      }),
      withState((query) => {
        query.set('state', theirs.searchParams.get('state') ?? '');
      }),
      withState((query) => {
        query.set('state', `${query.get('state')}0`);
      }),
      withState((query) => {
        query.append('state', query.get('state') ?? '');
      }),
      withState((query) => {
        query.set('state', '');
      }),
    ];
    for (const address of refused) await expectRefusal(world, browser, address, 'invalid_state');
    await expectRefusal(world, createSocialBrowser(world.service), callback, 'invalid_state');
    await expectRefusal(world, stranger, callback, 'invalid_state');
    // The flow of the browser that began it still works.
    const { location } = await browser.open(callback.href);
    expect(location).toMatch(`${FRONT_END}?user=`);
  });

  it('works once, even for someone who kept the cookie, and in one of fifty concurrent uses', async () => {
    await using world = await start();
    const browser = createSocialBrowser(world.service);
    const callback = await readyToReturn(browser, 'google');
    const kept = new Map(browser.cookies);
    const copies = Array.from({ length: 50 }, () => {
      const copy = createSocialBrowser(world.service);
      for (const [name, value] of kept) copy.cookies.set(name, value);
      return copy;
    });
    const ends = await Promise.all(copies.map((copy) => copy.open(callback.href)));
    const locations = ends.map(({ location }) => location);
    expect(locations.filter((location) => location.startsWith(`${FRONT_END}?user=`))).toHaveLength(1);
    expect(locations.filter((location) => location === `${FRONT_END}?error=invalid_state`)).toHaveLength(49);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    await expectRefusal(world, browser, callback, 'invalid_state');
  });

  it('is kept per tab: two sign-ins that one browser began finish in either order', async () => {
    await using world = await start();
    for (const isReversed of [false, true]) {
      const browser = createSocialBrowser(world.service);
      const tabs = [await readyToReturn(browser, 'google'), await readyToReturn(browser, 'google')];
      for (const callback of isReversed ? tabs.toReversed() : tabs)
        expect((await browser.open(callback.href)).location).toMatch(`${FRONT_END}?user=`);
      expect(browser.cookies.size).toBe(0);
    }
  });

  it('keeps working in its tab when the person declines in another tab, or signs in with another provider there', async () => {
    await using world = await start();
    const browser = createSocialBrowser(world.service);
    const kept = await readyToReturn(browser, 'google');
    const { location } = await browser.open('/social/google');
    const refused = await browser.open(await giveConsent(location, { decision: 'deny' }));
    expect(refused.location).toMatch(`${FRONT_END}?error=`);
    const elsewhere = await readyToReturn(browser, 'github');
    for (const callback of [elsewhere, kept])
      expect((await browser.open(callback.href)).location).toMatch(`${FRONT_END}?user=`);
    expect(browser.cookies.size).toBe(0);
  });

  it('is not used up by a HEAD request, such as those of link checkers', async () => {
    await using world = await start();
    const browser = createSocialBrowser(world.service);
    const callback = await readyToReturn(browser, 'google');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const looked = await fetch(`${world.service.url}${callback.pathname}${callback.search}`, {
      redirect: 'manual',
      method: 'HEAD',
      headers: { cookie },
    });
    expect(looked.headers.get('location') ?? '').not.toContain('user=');
    expect((await browser.open(callback.href)).location).toMatch(`${FRONT_END}?user=`);
  });

  it('is kept for the four newest sign-ins of a browser with a provider', async () => {
    let now = Date.now();
    await using world = await start({ now: () => now });
    const browser = createSocialBrowser(world.service);
    const callbacks: URL[] = [];
    for (let tab = 0; tab < 6; tab += 1) {
      callbacks.push(await readyToReturn(browser, 'google'));
      now += 1_000;
    }
    await readyToReturn(browser, 'github');
    expect(browser.cookies.size).toBe(5);
    for (const callback of callbacks.slice(0, 2))
      await expectRefusal(world, browser, callback, 'invalid_state');
    for (const callback of callbacks.slice(2))
      expect((await browser.open(callback.href)).location).toMatch(`${FRONT_END}?user=`);
  });

  it("belongs to one provider, whatever the cookie's name", async () => {
    await using world = await start();
    const browser = createSocialBrowser(world.service);
    const callback = await readyToReturn(browser, 'google');
    const [value = ''] = browser.cookies.values();
    const [name = ''] = browser.cookies.keys();
    browser.cookies.set(name.replace('google', 'github'), value);
    const elsewhere = callback.href.replace('/social/google/', '/social/github/');
    await expectRefusal(world, browser, elsewhere, 'invalid_state');
  });

  it('ends after ten minutes', async () => {
    let now = Date.now();
    await using world = await start({ now: () => now });
    const browser = createSocialBrowser(world.service);
    const callback = await readyToReturn(browser, 'google');
    now += 10 * 60_000;
    await expectRefusal(world, browser, callback, 'invalid_state');
  });

  it('is in a cookie that no script reads and that reveals nothing', async () => {
    await using world = await start();
    const { response, location } = await createSocialBrowser(world.service).open('/social/google');
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^gatehouse-social-google-[0-9a-f]{16}=v1\.[0-9a-f]{16}\.[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookie).not.toContain(new URL(location).searchParams.get('state'));
    await using secure = await start({ env: { BASE_URL: 'https://api.gatehouse.test' } });
    // As on the second visit, because the test calls another host than BASE_URL.
    const behindTls = await createSocialBrowser(secure.service).open('/social/google?moved=1');
    expect(behindTls.response.headers.getSetCookie()[0]).toMatch(
      /^__Host-gatehouse-social-google-[0-9a-f]{16}=.*; Secure$/,
    );
  });

  it('is not accepted from a changed cookie', async () => {
    await using world = await start();
    const browser = createSocialBrowser(world.service);
    const callback = await readyToReturn(browser, 'google');
    const [[name, value] = ['', '']] = browser.cookies;
    const other = value.at(-10) === 'A' ? 'B' : 'A';
    for (const changed of [
      value.slice(0, -10) + other + value.slice(-9),
      'x',
      '',
      value.slice(0, 40),
      '%00',
      '__proto__',
    ]) {
      browser.cookies.set(name, changed);
      await expectRefusal(world, browser, callback, 'invalid_state');
    }
  });
});

describe('PKCE', () => {
  it('is used with Google, GitHub and X, and a code is refused with another verifier', async () => {
    await using world = await start();
    for (const key of PROVIDER_KEYS) {
      const { location } = await createSocialBrowser(world.service).open(`/social/${key}`);
      const method = new URL(location).searchParams.get('code_challenge_method');
      expect([key, method]).toEqual([key, ['google', 'github', 'twitter'].includes(key) ? 'S256' : null]);
    }
    for (const key of ['google', 'github', 'twitter']) {
      const victim = createSocialBrowser(world.service);
      const attacker = createSocialBrowser(world.service);
      const stolen = (await readyToReturn(victim, key)).searchParams.get('code') ?? '';
      const callback = await readyToReturn(attacker, key);
      callback.searchParams.set('code', stolen);
      await expectRefusal(world, attacker, callback, 'provider_failed');
    }
  });
});

describe('a provider', () => {
  it('may report that the person declined', async () => {
    await using world = await start();
    for (const key of PROVIDER_KEYS) {
      const browser = createSocialBrowser(world.service);
      const { location } = await browser.open(`/social/${key}`);
      const callback = await giveConsent(location, { decision: 'deny' });
      await expectRefusal(world, browser, callback, 'access_denied');
      await expectRefusal(world, browser, `/social/${key}/callback?error=access_denied`, 'access_denied');
      await expectRefusal(world, browser, `/social/${key}/callback?error=server_error`, 'provider_failed');
    }
  });

  it('may send an answer that it does not document', async () => {
    await using world = await start();
    const common: Misbehaviour[] = ['error500', 'html', 'wrongTypes'];
    const all: Misbehaviour[] = [...common, 'empty', 'huge', 'list', 'null', 'redirect', 'refuse', 'reset'];
    for (const key of PROVIDER_KEYS) {
      for (const part of ['token', 'profile'] as const) {
        for (const way of key === 'google'
          ? all
          : [...common, ...(key === 'twitter' ? (['xml'] as const) : [])]) {
          world.simulator.tell(key, { [part]: way });
          const browser = createSocialBrowser(world.service);
          await expectRefusal(world, browser, await readyToReturn(browser, key), 'provider_failed');
        }
        world.simulator.tell(key, { [part]: null });
      }
      const person = { email: `${key}@rivera.test` };
      const end = await createSocialBrowser(world.service).visit(`/social/${key}`, { person });
      expect(end.searchParams.has('user')).toBe(true);
    }
  });
});

describe('a provider that does not answer', () => {
  it('is given up within ten seconds, at the token endpoint and at the profile endpoint, and a slow one is awaited', async () => {
    await using world = await start();
    const { simulator, service } = world;
    simulator.tell('google', { token: 'hang' });
    simulator.tell('github', { profile: 'hang' });
    simulator.tell('linkedin', { token: 'slow', profile: 'hang' });
    const refused = (['google', 'github', 'linkedin'] as const).map(async (key) => {
      const browser = createSocialBrowser(service);
      const callback = await readyToReturn(browser, key);
      const startedAt = performance.now();
      const { location } = await browser.open(callback.href);
      expect([key, location]).toEqual([key, `${FRONT_END}?error=provider_failed`]);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    });
    await Promise.all(refused);
    const { socialConnections } = service.database.tables;
    expect(await service.database.select().from(socialConnections)).toEqual([]);
    simulator.tell('tiktok', { token: 'slow', profile: 'slow' });
    expect((await createSocialBrowser(service).visit('/social/tiktok')).searchParams.has('user')).toBe(true);
  });
});

describe('an IP address that returns from a provider very often', () => {
  it('is refused before the provider is asked', async () => {
    await using world = await start({ env: { SOCIAL_VISITS_PER_ADDRESS: '3' } });
    const visit = () => createSocialBrowser(world.service).visit('/social/google');
    for (let visits = 0; visits < 3; visits += 1) expect((await visit()).searchParams.has('user')).toBe(true);
    expect((await visit()).search).toBe('?error=rate_limited');
    expect(world.simulator.tokenRequests('google')).toBe(3);
  });

  it('creates no more members than it could by registering', async () => {
    await using world = await start({ env: { REGISTRATIONS_PER_ADDRESS: '2' } });
    const ends = [];
    for (const id of ['1', '2', '3', '1']) {
      const person = { id, email: `${id}@rivera.test` };
      ends.push((await createSocialBrowser(world.service).visit('/social/google', { person })).search);
    }
    expect(ends.map((end) => end.slice(0, 12))).toEqual([
      '?user=eyJhbG',
      '?user=eyJhbG',
      '?error=rate_',
      '?user=eyJhbG',
    ]);
  });
});

describe('the redirect of a browser', () => {
  it('does not depend on the hosts and return addresses that a request names', async () => {
    await using world = await start();
    const { service } = world;
    const headers = {
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'https',
      referer: 'http://evil.test/',
    };
    const extra =
      '?returnTo=http://evil.test/&redirect_uri=http://evil.test/&next=//evil.test&callbackURL=http://evil.test';
    const begun = await service.send(`/social/google${extra}`, { headers });
    const location = new URL(begun.headers.get('location') ?? '');
    expect(location.origin).toBe(world.simulator.url);
    expect(location.searchParams.get('redirect_uri')).toBe('http://127.0.0.1:4000/social/google/callback');
    expect(location.href).not.toContain('evil');
    const ended = await service.send(`/social/google/callback${extra}`, { headers });
    expect(ended.headers.get('location')).toBe(`${FRONT_END}?error=invalid_state`);
  });

  it('is a 404 for a provider without credentials, and for an unknown one', async () => {
    await using world = await start({ env: { GOOGLE_CLIENT_SECRET: '' } });
    const codeAt = async (path: string) => {
      const response = await world.service.send(path);
      expect(response.status).toBe(404);
      return ((await response.json()) as { error: { code: string } }).error.code;
    };
    expect(await codeAt('/social/google')).toBe('provider_not_configured');
    expect(await codeAt('/social/google/callback')).toBe('provider_not_configured');
    for (const path of [
      '/social/myspace',
      '/social/__proto__',
      '/social/constructor/callback',
      '/social/%00',
    ]) {
      expect(await codeAt(path)).toBe('not_found');
    }
    expect((await createSocialBrowser(world.service).visit('/SOCIAL/GitHub/')).searchParams.has('user')).toBe(
      true,
    );
  });
});
