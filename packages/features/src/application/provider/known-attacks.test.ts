import { insertTestMember } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { describe, expect, it } from 'vitest';
import { at, CALLBACK, type OauthWorld, signInThrough, startOauthWorld } from '../../test/oauth-world.js';

async function start() {
  const world = await startOauthWorld();
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  const application = await world.application({
    scopes: ['openid', 'profile', 'email', 'offline_access', 'read'],
  });
  return { world, member, application, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

type Started = Awaited<ReturnType<typeof start>>;

/** A code in the browser of a member, with what its application keeps for it. */
async function codeOf(
  { world, member, application }: Started,
  change: Record<string, string | undefined> = {},
) {
  const client = await world.client(application);
  const verifier = oauth.randomPKCECodeVerifier();
  const begun = await client.begin({ code_challenge: await oauth.calculatePKCECodeChallenge(verifier) });
  const url = new URL(begun.url);
  for (const [name, value] of Object.entries(change))
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  const browser = world.browser(member);
  let there = await browser.visit(url.href);
  if (there.url.startsWith(world.baseUrl)) there = await browser.visit(there.url, {});
  return { browser, verifier, back: new URL(there.url), there };
}

async function exchange({ world, application }: Started, form: Record<string, string>) {
  const { clientId, secret } = application;
  const response = await fetch(`${world.main.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: CALLBACK, ...form }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function openedBy(world: OauthWorld, bearer: string) {
  return (await world.main.send('/oauth/userinfo', { headers: { authorization: `Bearer ${bearer}` } }))
    .status;
}

describe('mix-up (RFC 9700, section 4.4)', () => {
  it('fails: each answer and each refusal names this issuer, and a client library refuses any other', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { back } = await codeOf(started);
    expect(back.searchParams.get('iss')).toBe(world.baseUrl);
    const refused = await codeOf(started, { response_type: 'token' });
    const said = new URLSearchParams(refused.back.hash.slice(1) || refused.back.search);
    expect([said.get('error'), said.get('iss')]).toEqual(['unsupported_response_type', world.baseUrl]);
    const metadata = await world.main.send('/.well-known/oauth-authorization-server');
    expect(await metadata.json()).toMatchObject({ authorization_response_iss_parameter_supported: true });
    const client = await world.client(application);
    const begun = await client.begin();
    const { url } = await world.browser(member).visit(begun.url);
    await expect(begun.finish(url.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'))).rejects.toThrow(
      'invalid response encountered',
    );
  });
});

describe('a redirect URI (section 4.1)', () => {
  it.each([
    'https://WIKI.example.com/callback',
    'HTTPS://wiki.example.com/callback',
    'http://wiki.example.com/callback',
    'https://wiki.example.com:443/callback',
    'https://wiki.example.com:8443/callback',
    'https://wiki.example.com./callback',
    'https://wiki.example.com@evil.example/callback',
    'https://evil.example@wiki.example.com/callback',
    'https://wiki.example.com\\@evil.example/callback',
    'https://wiki.example.com/callback/../evil',
    'https://wiki.example.com/callback%2f..%2fevil',
    'https://wiki.example.com/%63allback',
    'https://wiki.example.com/callback#fragment',
    'https://wiki.example.com/callback?next=https://evil.example',
    'https://wiki.example.com//callback',
    'https://wiki.example.com/callback ',
    'https://wiki.example.com/callback\u0000',
    '//wiki.example.com/callback',
    '/callback',
    'javascript:alert(1)//wiki.example.com/callback',
    'data:text/html,x',
  ])('of %j gets neither a code nor an error', async (redirect_uri) => {
    await using started = await start();
    for (const change of [{}, { response_type: 'nothing' }, { prompt: 'none' }]) {
      const { there } = await codeOf(started, { redirect_uri, ...change });
      expect([there.status, there.url.startsWith(started.world.baseUrl)]).toEqual([400, true]);
      expect(there.response.headers.get('refresh')).toBeNull();
      expect(there.page).not.toContain('href="https://wiki');
    }
  });

  it.each([
    ['en', 'Something went wrong'],
    ['de', 'Etwas ist schiefgegangen'],
  ])('that is not registered leads to a page in the language of the browser: %s', async (language, title) => {
    await using started = await start();
    const client = await started.world.client(started.application);
    const { url } = await client.begin({ redirect_uri: 'https://evil.example/' });
    const answer = await fetch(at(started.world.main, url), { headers: { 'accept-language': language } });
    expect(answer.headers.get('content-type')).toContain('text/html');
    const page = await answer.text();
    expect(page).toContain(`<html lang="${language}"`);
    expect(page).toContain(title);
  });

  it('that is sent twice gets no code, and the error goes to the registered one', async () => {
    await using started = await start();
    const client = await started.world.client(started.application);
    const { url } = await client.begin();
    const there = await started.world
      .browser(started.member)
      .visit(`${url}&redirect_uri=${encodeURIComponent('https://evil.example/')}`);
    const led = new URL(there.url);
    expect([`${led.origin}${led.pathname}`, led.searchParams.get('error')]).toEqual([
      CALLBACK,
      'invalid_request',
    ]);
    expect(led.searchParams.get('code')).toBeNull();
  });
});

describe('code injection (section 4.5)', () => {
  it('fails: somebody else’s code does not fit the verifier of this sign-in', async () => {
    await using started = await start();
    const victim = await codeOf(started);
    const attacker = await insertTestMember(started.world.db, { isConfirmed: true, memberships: { 1: 1 } });
    const own = await codeOf({ ...started, member: attacker });
    const injected = { code: victim.back.searchParams.get('code') ?? '', code_verifier: own.verifier };
    expect(await exchange(started, injected)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });
});

describe('a PKCE downgrade (section 4.8)', () => {
  it('fails: a code with a challenge requires its verifier, and one without a challenge accepts none', async () => {
    await using started = await start();
    const { world } = started;
    const { back } = await codeOf(started);
    const without = await exchange(started, { code: back.searchParams.get('code') ?? '' });
    expect(without).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const exempt = { ...started, application: await world.application({ pkceExempt: true }) };
    const plain = await codeOf(exempt, {
      code_challenge: undefined,
      code_challenge_method: undefined,
      nonce: 'n',
    });
    const code = plain.back.searchParams.get('code') ?? '';
    expect(code).not.toBe('');
    const added = await exchange(exempt, { code, code_verifier: oauth.randomPKCECodeVerifier() });
    expect(added).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('`max_age` and `prompt` (OpenID Connect Core, section 3.1.2.1)', () => {
  it('are obeyed: a person who signed in too long ago signs in again, and `none` shows no page', async () => {
    await using started = await start();
    const { world, member, application } = started;
    await signInThrough(world, application, member);
    const client = await world.client(application);
    const visit = async (more: Record<string, string>) => {
      const { url } = await client.begin(more);
      const there = await world.browser(member).visit(url);
      return new URL(there.url).searchParams.get('error') ?? there.url.startsWith(CALLBACK);
    };
    expect(await visit({ max_age: '3600' })).toBe(true);
    expect(await visit({})).toBe(true);
    // The current second is regarded as now.
    await expect.poll(() => visit({ max_age: '0' })).toBe(false);
    expect(await visit({ prompt: 'login' })).toBe(false);
    expect(await visit({ max_age: '0', prompt: 'none' })).toBe('login_required');
    expect(await visit({ prompt: 'none login' })).toBe('invalid_request');
    expect(await visit({ max_age: '-1' })).toBe('invalid_request');
  });

  it('make a person who signed in a moment ago sign in again, and a new sign-in in the same second suffices', async () => {
    await using started = await start();
    const { world, application, member } = started;
    await signInThrough(world, application, member);
    const client = await world.client(application);
    // The beginning of a second, so that all of this is in it.
    await expect.poll(() => Date.now() % 1000, { interval: 20 }).toBeLessThan(200);
    const browser = world.browser({ ...member, token: await member.signInAgain() });
    const there = await browser.visit((await client.begin({ prompt: 'login' })).url);
    expect(there.url.startsWith(CALLBACK)).toBe(false);
    browser.jar.set(world.main.services.cookies.name, await member.signInAgain());
    expect((await browser.visit(there.url)).url.startsWith(CALLBACK)).toBe(true);
  });
});

describe('clickjacking (section 4.16)', () => {
  it('fails: no other site may frame the pages for consent, errors, devices and signing out', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    const consent = await browser.visit((await client.begin()).url);
    const error = await browser.visit((await client.begin({ redirect_uri: 'https://evil.example/' })).url);
    const logout = await browser.visit(`${world.baseUrl}/oauth/logout`);
    const device = await browser.visit(`${world.baseUrl}/device`);
    for (const { response } of [consent, error, logout, device]) {
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });
});

describe('open redirection (section 4.11)', () => {
  it('fails: signing out redirects only to registered addresses, and neither a state nor a hint changes a redirect', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { clientId: client_id } = application;
    for (const browser of [world.browser(member), world.browser(undefined)])
      for (const post_logout_redirect_uri of [
        'https://evil.example/',
        'https://wiki.example.com/other',
        'https://wiki.example.com@evil.example/',
        '//evil.example/',
      ]) {
        const query = new URLSearchParams({ client_id, post_logout_redirect_uri });
        const there = await browser.visit(`${world.baseUrl}/oauth/logout?${query.toString()}`);
        expect(there.url.startsWith(world.baseUrl)).toBe(true);
        expect(there.response.headers.get('refresh')).toBeNull();
        expect(there.page).not.toContain('evil.example/"');
      }
    const stranger = world.browser(undefined);
    const client = await world.client(application);
    const state = 'x&redirect_uri=https://evil.example/\r\nLocation: https://evil.example/';
    const { url } = await client.begin({ state, prompt: 'none' });
    const there = new URL((await stranger.visit(url)).url);
    expect([`${there.origin}${there.pathname}`, there.searchParams.get('state')]).toEqual([CALLBACK, state]);
    const asking = await stranger.visit((await client.begin({ login_hint: 'https://evil.example/' })).url);
    expect(asking.url.startsWith(world.baseUrl)).toBe(true);
  });
});

describe('token substitution', () => {
  it('fails: an application can use, read and revoke no token of another', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const parameters = { scope: 'openid email offline_access', prompt: 'consent' };
    const { tokens } = await signInThrough(world, application, member, { parameters });
    const stranger = await world.client(await world.application());
    const stolen = oauth.refreshTokenGrant(stranger.config, tokens.refresh_token ?? '');
    await expect(stolen).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await oauth.tokenIntrospection(stranger.config, tokens.access_token)).active).toBe(false);
    await oauth.tokenRevocation(stranger.config, tokens.access_token);
    expect(await openedBy(world, tokens.access_token)).toBe(200);
  });

  it('fails between kinds: userinfo accepts only access tokens, and the API only tokens for the API', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { tokens } = await signInThrough(world, application, member);
    for (const other of [tokens.id_token ?? '', member.token, tokens.refresh_token ?? 'gthr_x'])
      expect(await openedBy(world, other)).toBe(401);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await world.main.send('/v1/member/list', { headers })).status).toBe(401);
  });
});

describe('credential leakage (sections 4.2, 4.3 and 4.12)', () => {
  it('by a referrer fails: no page of a sign-in sends one to other sites or loads anything from them', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    const begun = await client.begin();
    const consent = await browser.visit(begun.url);
    const agreed = await browser.send(consent.url, {});
    const error = await browser.visit((await client.begin({ redirect_uri: 'https://evil.example/' })).url);
    for (const response of [consent.response, agreed, error.response])
      expect(response.headers.get('referrer-policy')).toMatch(/^(?:no-referrer|same-origin)$/);
    for (const page of [consent.page, error.page]) expect(page).not.toMatch(/(?:src|href)="https?:/);
  });

  it('by a redirect of a form fails: no form is answered with 307 or 308', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    const begun = await client.begin();
    const byForm = await browser.send(
      `${world.baseUrl}/oauth/authorize`,
      Object.fromEntries(new URL(begun.url).searchParams),
    );
    expect(byForm.status).toBe(303);
    const { url } = await browser.visit(begun.url);
    const agreed = await browser.send(url, {});
    const resumed = await browser.send(agreed.headers.get('refresh')?.replace('0;url=', '') ?? '');
    expect([agreed.status, resumed.status]).toEqual([200, 303]);
  });

  it('by a token in an address fails: neither userinfo nor the API accepts one in a query', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const options = { parameters: { resource: world.baseUrl, scope: 'read' }, account: 1, scopes: ['read'] };
    const { tokens } = await signInThrough(world, application, member, options);
    const token = tokens.access_token;
    const there = (path: string) => fetch(at(world.main, `${world.baseUrl}${path}?access_token=${token}`));
    const bearer = { authorization: `Bearer ${token}` };
    expect((await world.main.send('/v1/member/list', { headers: bearer })).status).toBe(200);
    for (const path of ['/v1/member/list', '/oauth/userinfo'])
      expect([path, (await there(path)).status]).toEqual([
        path,
        expect.toSatisfy((status) => status === 400 || status === 401),
      ]);
  });

  it('by a cache fails: answers with codes and tokens are `no-store`', async () => {
    await using started = await start();
    const { back, verifier, there } = await codeOf(started);
    const { clientId, secret } = started.application;
    const response = await fetch(`${started.world.main.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        redirect_uri: CALLBACK,
        code: back.searchParams.get('code') ?? '',
        code_verifier: verifier,
      }),
    });
    for (const { headers } of [response, there.response])
      expect(headers.get('cache-control')).toContain('no-store');
  });
});
