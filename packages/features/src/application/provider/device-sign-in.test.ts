import { insertTestMember, type RunningService } from '@gatehouse/testkit';
import express from 'express';
import { decodeJwt } from 'jose';
import * as oauth from 'openid-client';
import { describe, expect, it } from 'vitest';
import { type OauthWorld, startOauthWorld, type TestApplication } from '../../test/oauth-world.js';
import { serveApp } from '../../test/serve-app.js';
import { backchannelLogout } from './send-logouts.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
}

async function start(options: Parameters<OauthWorld['application']>[0] = {}) {
  let aheadMs = 0;
  const world = await startOauthWorld(() => Date.now() + aheadMs);
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3 } });
  const application = await world.application({
    ...options,
    name: 'Living Room TV',
    type: 'device',
    redirectUris: [],
    postLogoutRedirectUris: [],
  });
  return {
    world,
    member,
    application,
    /** What the device begins with. */
    begin: (form: Record<string, string> = {}) => begin(world, application, form),
    /** The device's answer from a node. It waits before each request. */
    async poll({ device_code }: Codes, { on = world.main, by = application, waits = true } = {}) {
      if (waits) aheadMs += 5_000;
      const response = await send(on, '/oauth/token', {
        grant_type: GRANT,
        device_code,
        client_id: by.clientId,
      });
      const body = (await response.json()) as {
        error?: string;
        access_token?: string;
        refresh_token?: string;
        id_token?: string;
      };
      return { status: response.status, ...body };
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

function send(on: RunningService, path: string, form: Record<string, string>) {
  return fetch(`${on.url}${path}`, { method: 'POST', body: new URLSearchParams(form) });
}

async function begin(
  world: OauthWorld,
  { clientId }: TestApplication,
  form: Record<string, string> = {},
): Promise<Codes> {
  const response = await send(world.main, '/oauth/device', {
    client_id: clientId,
    scope: 'openid profile email',
    ...form,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Codes;
}

const allow = ({ user_code }: Codes, more: Record<string, string> = {}) => ({
  user_code,
  decision: 'allow',
  ...more,
});

/** Whether an access token is accepted on a node. */
async function opens(on: RunningService, token = '') {
  return (await on.send('/oauth/userinfo', { bearer: token })).status === 200;
}

describe('a device without a browser', () => {
  it('signs in a person who enters its code, sees the application, and agrees', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { BASE_URL } = world.main.services.config;
    const config = await oauth.discovery(new URL(BASE_URL), application.clientId, undefined, oauth.None(), {
      // oxlint-disable-next-line typescript/no-deprecated -- the services of tests have no TLS
      execute: [oauth.allowInsecureRequests],
      [oauth.customFetch]: (url, options) =>
        fetch(url.replace(BASE_URL, world.other.url), options as RequestInit),
    });
    expect(config.serverMetadata().device_authorization_endpoint).toBe(`${BASE_URL}/oauth/device`);
    const codes = await oauth.initiateDeviceAuthorization(config, { scope: 'openid profile' });
    expect(codes).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${BASE_URL}/device`,
      expires_in: 600,
      interval: 5,
    });
    const polled = oauth.pollDeviceAuthorizationGrant(config, codes);

    const browser = world.browser(member);
    const there = await browser.visit(codes.verification_uri_complete ?? '');
    expect(there).toMatchObject({ status: 200, page: expect.stringContaining(`value="${codes.user_code}"`) });
    const asked = await browser.visit(`${world.baseUrl}/device`, {
      user_code: codes.user_code.toLowerCase(),
    });
    expect(asked.page).toContain('Let Living Room TV use your account?');
    expect(asked.page).toContain(`<strong>${codes.user_code}</strong>`);
    expect(asked.page).toContain('Did someone send you the code');
    const done = await browser.visit(`${world.baseUrl}/device`, allow(codes));
    expect(done).toMatchObject({ status: 200, page: expect.stringContaining('Living Room TV is connected') });

    const tokens = await polled;
    expect(tokens.claims()).toMatchObject({ sub: String(member.id), aud: application.clientId });
    expect(tokens.access_token).toMatch(/^gtha_/);
    const claims = await oauth.fetchUserInfo(config, tokens.access_token, String(member.id));
    expect(claims).toMatchObject({ name: 'Test Member' });
  }, 30_000);

  it('waits until the person has decided, and learns of a refusal', async () => {
    await using started = await start();
    const { begin: ask, poll, world, member } = started;
    const codes = await ask();
    expect(await poll(codes)).toMatchObject({ status: 400, error: 'authorization_pending' });
    expect(await poll(codes, { waits: false })).toMatchObject({ status: 400, error: 'slow_down' });
    expect(await poll(codes, { waits: false, on: world.other })).toMatchObject({ error: 'slow_down' });
    expect(await poll(codes, { on: world.other })).toMatchObject({ error: 'authorization_pending' });
    const browser = world.browser(member);
    const answer = await browser.visit(`${world.baseUrl}/device`, {
      user_code: codes.user_code,
      decision: 'cancel',
    });
    expect(answer.page).toContain('Nothing was connected');
    expect(await poll(codes)).toMatchObject({ status: 400, error: 'access_denied' });
    const later = await browser.visit(`${world.baseUrl}/device`, allow(codes));
    expect(later).toMatchObject({ status: 400, page: expect.stringContaining('wrong or has expired') });
  });

  it('acts in the account that the person chose, and keeps its access with `offline_access`', async () => {
    await using started = await start();
    const { begin: ask, poll, world, member } = started;
    const codes = await ask({ scope: 'openid account offline_access' });
    const browser = world.browser(member);
    const asked = await browser.visit(`${world.baseUrl}/device`, { user_code: codes.user_code });
    expect(asked.page).toContain('<option value="1" selected>');
    expect((await browser.visit(`${world.baseUrl}/device`, allow(codes))).status).toBe(400);
    expect((await browser.visit(`${world.baseUrl}/device`, allow(codes, { account: '999' }))).status).toBe(
      400,
    );
    expect((await browser.visit(`${world.baseUrl}/device`, allow(codes, { account: '1' }))).status).toBe(200);
    const tokens = await poll(codes);
    expect(tokens.refresh_token).toMatch(/^gthr_/);
    const answer = await world.other.send('/oauth/userinfo', { bearer: tokens.access_token ?? '' });
    expect(await answer.json()).toMatchObject({ account: { id: 1 } });
    await world.main.send('/auth/logout', { token: member.token, body: {} });
    expect(await opens(world.other, tokens.access_token)).toBe(true);
  });

  it.each([
    ['is told when the session ends in which the person let it in', 'openid', 1],
    [
      'with `offline_access` is not told of a session on which nothing of it rests',
      'openid offline_access',
      0,
    ],
  ])('%s', async (_title, scope, times) => {
    const told: string[] = [];
    const app = express();
    app.post('/logout', express.urlencoded({ extended: false }), (request, response) => {
      told.push((request.body as { logout_token: string }).logout_token);
      response.end();
    });
    await using tv = await serveApp(app);
    await using started = await start({ backchannelLogoutUri: `${tv.url}/logout` });
    const { begin: ask, poll, world, member } = started;
    const codes = await ask({ scope });
    await world.browser(member).visit(`${world.baseUrl}/device`, allow(codes));
    const { id_token = '' } = await poll(codes);
    const other = await insertTestMember(world.db, { isConfirmed: true });
    await world.main.send('/auth/logout', { token: other.token, body: {} });
    await backchannelLogout.run(world.main.services);
    expect(told).toEqual([]);
    await world.main.send('/auth/logout', { token: member.token, body: {} });
    await backchannelLogout.run(world.other.services);
    expect(told).toHaveLength(times);
    const { sub, sid } = decodeJwt(id_token);
    expect(sid).toMatch(/^[\w-]{43}$/);
    for (const token of told) expect(decodeJwt(token)).toMatchObject({ sub, sid });
  });

  it('calls this API for the person, in the account that they chose and within the scopes that they checked', async () => {
    await using started = await start({ scopes: ['read', 'manage'] });
    const { begin: ask, poll, world, member } = started;
    const codes = await ask({ scope: 'read manage', resource: world.baseUrl });
    const browser = world.browser(member);
    const decide = (form: Record<string, string>) => browser.visit(`${world.baseUrl}/device`, form);
    const asked = await decide({ user_code: codes.user_code });
    expect(asked.page).toContain('In that organization, the app may:');
    expect(asked.page).not.toContain('checked');
    for (const wrong of [{ account: '1' }, { scopes: 'read' }, { account: '999', scopes: 'read' }])
      expect(await decide(allow(codes, wrong))).toMatchObject({ status: 400 });
    const kept = await decide(allow(codes, { scopes: 'read' }));
    expect(kept.page).toContain('value="read" checked');
    expect((await decide(allow(codes, { account: '1', scopes: 'read' }))).status).toBe(200);
    const tokens = await poll(codes);
    expect(tokens).toMatchObject({ scope: 'read', refresh_token: expect.stringMatching(/^gthr_/) });
    const bearer = tokens.access_token ?? '';
    const status = async (on: RunningService, path: string, body: object) =>
      (await on.send(path, { bearer, body })).status;
    const removal = { memberId: member.id };
    for (const on of [world.main, world.other]) {
      expect(await status(on, '/v1/member/list', {})).toBe(200);
      expect(await status(on, '/v1/membership/remove', removal)).toBe(403);
    }
    await world.main.send('/auth/logout', { token: member.token, body: {} });
    expect(await status(world.other, '/v1/member/list', {})).toBe(401);
  });

  it('may ask only for APIs that its application may call', async () => {
    await using started = await start({ scopes: ['openid', 'read'], resources: [] });
    const { world, application } = started;
    const fields = { client_id: application.clientId, scope: 'openid read' };
    for (const resource of ['https://api.product.test', 'https://evil.example'])
      expect((await send(world.main, '/oauth/device', { ...fields, resource })).status).toBe(400);
  });

  it('of an account admits only its members', async () => {
    await using started = await start({ accountId: 1 });
    const { begin: ask, world } = started;
    const stranger = await insertTestMember(world.db, { isConfirmed: true });
    const codes = await ask();
    const browser = world.browser(stranger);
    for (const form of [{ user_code: codes.user_code }, allow(codes)])
      expect(await browser.visit(`${world.baseUrl}/device`, form)).toMatchObject({
        status: 403,
        page: expect.stringContaining('Only members of'),
      });
  });

  it('asks for a recent sign-in when its application does', async () => {
    await using started = await start();
    const { begin: ask, world, member } = started;
    const codes = await ask({ max_age: '0' });
    const lenient = await ask({ max_age: '3600' });
    const browser = world.browser(member);
    for (const form of [{ user_code: codes.user_code }, allow(codes)])
      expect((await browser.visit(`${world.baseUrl}/device`, form)).status).toBe(401);
    expect((await browser.visit(`${world.baseUrl}/device`, allow(lenient))).status).toBe(200);
  });
});

describe('the code that a person enters', () => {
  it('lasts ten minutes', async () => {
    await using started = await start();
    const { begin: ask, poll, world, member } = started;
    const codes = await ask();
    for (let waits = 0; waits < 120; waits += 1) await poll(codes);
    expect((await world.browser(member).visit(`${world.baseUrl}/device`, allow(codes))).status).toBe(400);
  });

  it('is decided once, by the first of two people', async () => {
    await using started = await start();
    const { begin: ask, poll, world, member } = started;
    const other = await insertTestMember(world.db, { isConfirmed: true });
    const codes = await ask();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        world
          .browser(at % 2 ? member : other, at % 4 < 2 ? world.main : world.other)
          .visit(`${world.baseUrl}/device`, allow(codes)),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const first = answers.findIndex(({ status }) => status === 200) % 2 ? member : other;
    const { access_token } = await poll(codes);
    const claims = await world.other.send('/oauth/userinfo', { bearer: access_token ?? '' });
    expect(await claims.json()).toMatchObject({ sub: String(first.id) });
    // The second use of the device code revokes what the first one gave.
    expect(await poll(codes)).toMatchObject({ error: 'invalid_grant' });
    expect(await opens(world.other, access_token)).toBe(false);
  });

  it('gives one set of tokens to 50 concurrent requests on two nodes', async () => {
    await using started = await start();
    const { begin: ask, poll, world, member } = started;
    const codes = await ask();
    await world.browser(member).visit(`${world.baseUrl}/device`, allow(codes));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        poll(codes, { waits: false, on: at % 2 ? world.other : world.main }),
      ),
    );
    const given = answers.filter(({ access_token }) => access_token !== undefined);
    expect(given).toHaveLength(1);
    expect(new Set(answers.map(({ error }) => error))).toEqual(new Set([undefined, 'slow_down']));
    expect(await opens(world.other, given[0]?.access_token)).toBe(true);
  });

  it('cannot be guessed: an address may try 50 wrong ones an hour, and a right one is not counted', async () => {
    await using started = await start();
    const { begin: ask, world, member } = started;
    const codes = await ask();
    const browser = world.browser(member);
    for (let at = 0; at < 60; at += 1)
      expect((await browser.visit(`${world.baseUrl}/device`, { user_code: codes.user_code })).status).toBe(
        200,
      );
    const guesses = await Promise.all(
      Array.from({ length: 60 }, () =>
        browser.send(`${world.baseUrl}/device`, { user_code: 'BBBB-BBBB', decision: 'allow' }),
      ),
    );
    expect(guesses.map(({ status }) => status).filter((status) => status === 400)).toHaveLength(50);
    const refused = guesses.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await browser.visit(`${world.baseUrl}/device`, allow(codes))).status).toBe(429);
  });

  it('is refused to another application, and to anybody without a session', async () => {
    await using started = await start();
    const { begin: ask, poll, world, member } = started;
    const by = await world.application({ type: 'device', redirectUris: [] });
    const codes = await ask();
    for (const form of [undefined, { user_code: codes.user_code }, allow(codes)])
      expect((await world.browser(undefined).visit(`${world.baseUrl}/device`, form)).status).toBe(401);
    expect(await poll(codes, { by })).toMatchObject({ error: 'invalid_grant' });
    await world.browser(member).visit(`${world.baseUrl}/device`, allow(codes));
    expect(await poll(codes, { by })).toMatchObject({ error: 'invalid_grant' });
    expect((await poll(codes)).access_token).toBeDefined();
    const web = await send(world.main, '/oauth/device', { client_id: (await world.application()).clientId });
    expect(web.status).toBeGreaterThanOrEqual(400);
  });

  it('is not decided by the form of another site, in a frame, or in an impersonation', async () => {
    await using started = await start();
    const { begin: ask, poll, world, member } = started;
    const codes = await ask();
    const cookie = `${world.main.services.cookies.name}=${member.token}`;
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) {
      const answer = await fetch(`${world.main.url}/device`, {
        method: 'POST',
        headers: { cookie, ...headers } as Record<string, string>,
        body: new URLSearchParams(allow(codes)),
      });
      expect([headers, answer.status]).toEqual([headers, 403]);
    }
    const page = await world.browser(member).visit(`${world.baseUrl}/device`, { user_code: codes.user_code });
    expect(page.response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.response.headers.get('cache-control')).toContain('no-store');
    const begun = await world.admin.send('/v1/impersonation/start', {
      token: world.root.token,
      body: { memberId: member.id, reason: 'Asked in ticket 4711', write: true },
    });
    const { token } = (await begun.json()) as { token: string };
    expect((await world.main.send('/auth/me', { token })).status).toBe(200);
    expect((await world.browser({ token }).visit(`${world.baseUrl}/device`, allow(codes))).status).toBe(401);
    expect(await poll(codes)).toMatchObject({ error: 'authorization_pending' });
  });

  it('is void once the person is banned, the consent is withdrawn, or the application is inactive', async () => {
    await using started = await start();
    const { begin: ask, poll, world, member, application } = started;
    const withdrawn = await ask();
    const browser = world.browser(member);
    expect((await browser.visit(`${world.baseUrl}/device`, allow(withdrawn))).status).toBe(200);
    const list = await world.main.send('/v1/consent/applications', { token: member.token, body: {} });
    const { data } = (await list.json()) as { data: { id: number }[] };
    await world.main.send('/v1/consent/withdraw', { token: member.token, body: { consentId: data[0]?.id } });
    expect(await poll(withdrawn)).toMatchObject({ error: 'invalid_grant' });

    const banned = await ask();
    expect((await browser.visit(`${world.baseUrl}/device`, allow(banned))).status).toBe(200);
    await world.admin.send('/v1/member/ban', {
      token: world.root.token,
      body: { memberId: member.id, reason: 'Fraud' },
    });
    expect(await poll(banned, { on: world.other })).toMatchObject({ error: 'invalid_grant' });
    expect((await browser.visit(`${world.baseUrl}/device`, allow(await ask()))).status).toBe(401);

    const off = await ask();
    await world.admin.send('/v1/platformApp/save', {
      token: world.root.token,
      body: { applicationId: application.id, active: false },
    });
    expect((await poll(off)).status).toBe(401);
  });
});
