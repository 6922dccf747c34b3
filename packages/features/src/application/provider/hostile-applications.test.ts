import { makeOpaqueToken } from '@gatehouse/auth-core';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { findApplicationById, setApplication } from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertTestMember } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { describe, expect, it, vi } from 'vitest';
import {
  CALLBACK,
  type OauthWorld,
  signInThrough,
  startOauthWorld,
  type TestApplication,
} from '../../test/oauth-world.js';

const OFFLINE = { scope: 'openid email offline_access', prompt: 'consent' };

async function start(now?: () => number) {
  const world = await startOauthWorld(now);
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3 } });
  const application = await world.application();
  return { world, member, application, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** A form at the token endpoint, by hand. */
function exchange(
  world: OauthWorld,
  { clientId, secret }: TestApplication,
  form: Record<string, string>,
  on = world.main,
) {
  return fetch(`${on.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams(form),
  });
}

/** An application with the secret of another. */
function withWrongSecret(application: TestApplication): TestApplication {
  return { ...application, secret: makeOpaqueToken('clientSecret') };
}

const errorOf = (url: string) => new URL(url).searchParams.get('error');

describe('an authorization code', () => {
  it('gives one set of tokens to 50 concurrent exchanges on two nodes, and a second exchange revokes them', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const verifier = oauth.randomPKCECodeVerifier();
    const begun = await client.begin({ code_challenge: await oauth.calculatePKCECodeChallenge(verifier) });
    const browser = world.browser(member);
    const { url } = await browser.visit(begun.url);
    const back = new URL((await browser.visit(url, {})).url);
    const form = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        exchange(world, application, form, at % 2 ? world.other : world.main),
      ),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBeLessThanOrEqual(1);
    for (const answer of given) {
      const { access_token } = (await answer.json()) as { access_token: string };
      const opened = await world.other.send('/oauth/userinfo', { bearer: access_token });
      expect(opened.status).toBe(401);
    }
  });

  it('is refused without its verifier, from another application, and for another redirect URI', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const stranger = await world.application();
    const client = await world.client(application);
    const codeOf = async () => {
      const verifier = oauth.randomPKCECodeVerifier();
      const begun = await client.begin({ code_challenge: await oauth.calculatePKCECodeChallenge(verifier) });
      const browser = world.browser(member);
      let there = await browser.visit(begun.url);
      if (!there.url.startsWith(CALLBACK)) there = await browser.visit(there.url, {});
      return { code: new URL(there.url).searchParams.get('code') ?? '', code_verifier: verifier };
    };
    const whole = { grant_type: 'authorization_code', redirect_uri: CALLBACK };
    for (const [by, change] of [
      [application, { code_verifier: oauth.randomPKCECodeVerifier() }],
      [stranger, {}],
      [application, { redirect_uri: 'https://wiki.example.com/other' }],
    ] as const) {
      const answer = await exchange(world, by, { ...whole, ...(await codeOf()), ...change });
      expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
    }
  });
});

describe('a code whose session ends at the same time', () => {
  it.each([
    ['while the code is issued', 'issued'],
    ['while the code is exchanged', 'exchanged'],
  ])('gives no valid tokens: %s', async (_title, moment) => {
    await using started = await start();
    const { world, member, application } = started;
    const { main, other } = world;
    await signInThrough(world, application, member);
    const client = await world.client(application);
    let codes = 0;
    for (let round = 0; round < 20; round += 1) {
      const [here, there] = round % 2 === 0 ? [main, other] : [other, main];
      const token = await member.signInAgain();
      const end = () => there.send('/auth/logout', { token, body: {} });
      const verifier = oauth.randomPKCECodeVerifier();
      const begun = await client.begin({ code_challenge: await oauth.calculatePKCECodeChallenge(verifier) });
      const visit = world.browser({ token }, here).visit(begun.url);
      const [led] = await Promise.all([visit, ...(moment === 'issued' ? [end()] : [])]);
      const code = led.url.startsWith(CALLBACK) ? new URL(led.url).searchParams.get('code') : null;
      if (code === null) continue;
      codes += 1;
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: CALLBACK,
        code_verifier: verifier,
      };
      const sent = exchange(world, application, form, here);
      const [answer] = await Promise.all([sent, ...(moment === 'exchanged' ? [end()] : [])]);
      const said = (await answer.json()) as { error?: string; access_token?: string };
      if (moment === 'issued') expect(said).toMatchObject({ error: 'invalid_grant' });
      for (const on of [main, other])
        expect((await on.send('/oauth/userinfo', { bearer: said.access_token ?? code })).status).toBe(401);
    }
    if (moment === 'exchanged') expect(codes).toBe(20);
  });
});

describe('a refresh token', () => {
  it('has one successor however often it is sent within ten seconds, and later use ends only its grant', async () => {
    let aheadMs = 0;
    await using started = await start(() => Date.now() + aheadMs);
    const { world, member, application } = started;
    const first = await signInThrough(world, application, member, { parameters: OFFLINE });
    const other = await signInThrough(world, application, member, { parameters: OFFLINE });
    const { config } = first.client;
    const token = first.tokens.refresh_token ?? '';
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => oauth.refreshTokenGrant(config, token)),
    );
    const successors = new Set(answers.map((answer) => answer.refresh_token));
    expect(successors.size).toBe(1);
    expect(successors).not.toContain(token);

    aheadMs = 11_000;
    const late = await Promise.allSettled([1, 2, 3].map(() => oauth.refreshTokenGrant(config, token)));
    for (const outcome of late)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { error: 'invalid_grant' } });
    // Its member is told, once.
    const { auditLog, mailOutbox, securityEvents } = world.db.tables;
    const lines = (await world.db.select().from(auditLog)).filter(
      ({ action }) => action === 'consent.token-reused',
    );
    expect(lines).toMatchObject([{ actorId: null, onBehalfOfId: member.id, subjectId: `${application.id}` }]);
    const mails = (await world.db.select().from(mailOutbox)).filter(({ kind }) => kind === 'tokenReused');
    expect(mails).toMatchObject([{ memberId: member.id }]);
    const seen = (await world.db.select().from(securityEvents)).map(({ kind }) => kind);
    expect(seen.filter((kind) => kind === 'consent.token-reused')).toHaveLength(1);
    const { active } = await oauth.tokenIntrospection(config, answers[0]?.access_token ?? '');
    expect(active).toBe(false);
    expect((await oauth.tokenIntrospection(config, other.tokens.access_token)).active).toBe(true);
  });
});

describe('an authorization request', () => {
  it('with an unregistered redirect URI, or without an application, shows a page and redirects nowhere', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    for (const redirect_uri of [
      'https://evil.example/callback',
      `${CALLBACK}/`,
      `${CALLBACK}?x=1`,
      'https://wiki.example.com.evil.example/callback',
    ]) {
      const { url } = await client.begin({ redirect_uri });
      expect(await browser.visit(url)).toMatchObject({ status: 400, page: expect.stringContaining('<h1>') });
    }
    const { url } = await client.begin();
    expect((await browser.visit(url.replace(application.clientId, 'nobody'))).status).toBe(400);
  });

  it('without PKCE, with the plain method, or for tokens in the address is refused with a redirect to the application', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    const { url } = await client.begin();
    const changed = (name: string, value: string | undefined) => {
      const address = new URL(url);
      if (value === undefined) address.searchParams.delete(name);
      else address.searchParams.set(name, value);
      return address.href;
    };
    for (const [name, value, error] of [
      ['code_challenge', undefined, 'invalid_request'],
      ['code_challenge_method', 'plain', 'invalid_request'],
      ['response_type', 'token', 'unsupported_response_type'],
      ['response_type', 'code id_token', 'unsupported_response_type'],
      ['scope', 'openid member.list', null],
      ['prompt', 'none', 'consent_required'],
    ] as const) {
      const there = await browser.visit(changed(name, value));
      if (error !== null) {
        expect(there.url.startsWith(CALLBACK)).toBe(true);
        expect(new URL(there.url.replace('#', '?')).searchParams.get('error')).toContain(error.split('_')[0]);
      }
    }
    const stranger = world.browser(undefined);
    expect(errorOf((await stranger.visit(changed('prompt', 'none'))).url)).toBe('login_required');
  });
});

describe('the page that asks for consent', () => {
  it('accepts no form from another site, from another member, or without the cookie of the request', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    const { url } = await browser.visit((await client.begin()).url);
    const post = (headers: Record<string, string>) =>
      fetch(url.replace(world.baseUrl, world.main.url), { method: 'POST', redirect: 'manual', headers });
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { origin: world.baseUrl, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post({ ...own, cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ ...own, cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post(own)).status).toBe(400);
    const victim = await insertTestMember(world.db, { isConfirmed: true });
    const { name } = world.main.services.cookies;
    const planted = cookie.replace(member.token, victim.token);
    expect(planted).toContain(`${name}=${victim.token}`);
    expect((await post({ ...own, cookie: planted })).status).toBe(401);
    expect(await world.db.select().from(world.db.tables.consents)).toEqual([]);
  });

  it('shows names that are written to the left without turning the words around them', async () => {
    await using world = await startOauthWorld();
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3 } });
    const { accounts } = world.db.tables;
    await world.db.write(world.db.update(accounts).set({ name: 'ויקי' }));
    const application = await world.application({ name: 'Wiki \u202e\u2069txet', accountId: 1 });
    const client = await world.client(application);
    const { page } = await world.browser(member).visit((await client.begin({ scope: 'openid' })).url);
    expect(page).toContain('<h1>Let \u2068Wiki \u202etxet\u2069 use your account?</h1>');
    expect(page).toContain('Published by the organization \u2068ויקי\u2069. You are signed in as');
  });

  it('returns to the application with `access_denied` after a refusal, and is in German for Germans', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    const { url, response } = await browser.visit((await client.begin()).url);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("form-action 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const german = await fetch(url.replace(world.baseUrl, world.main.url), {
      headers: { cookie, 'accept-language': 'de' },
    });
    expect(await german.text()).toContain('<html lang="de">');
    expect(errorOf((await browser.visit(`${url}/abort`, {})).url)).toBe('access_denied');
  });

  it("offers the member's organizations, and stores only one of them", async () => {
    await using started = await start();
    const { world, member, application } = started;
    const parameters = { scope: 'openid account' };
    const client = await world.client(application);
    const browser = world.browser(member);
    const begun = await client.begin(parameters);
    const { url, page } = await browser.visit(begun.url);
    expect(page).toContain('<option value="1" selected>');
    expect((await browser.visit(url, { account: '2' })).status).toBe(400);
    const back = await browser.visit(url, { account: '1' });
    const tokens = await begun.finish(back.url);
    const claims = await oauth.fetchUserInfo(client.config, tokens.access_token, String(member.id));
    expect(claims['account']).toMatchObject({
      id: 1,
      role: 3,
      permissions: expect.arrayContaining(['member.list']),
    });
  });

  it('admits only members of the account when the account publishes the application', async () => {
    await using started = await start();
    const { world, member } = started;
    const application = await world.application({ accountId: 1, scopes: ['openid', 'email'] });
    const outsider = await insertTestMember(world.db, { isConfirmed: true, memberships: { 2: 3 } });
    const client = await world.client(application);
    const parameters = { scope: 'openid email' };
    const browser = world.browser(outsider);
    const { url, status } = await browser.visit((await client.begin(parameters)).url);
    expect(status).toBe(403);
    expect((await browser.visit(url, {})).status).toBe(403);
    const { tokens } = await signInThrough(world, application, member, { parameters });
    expect(tokens.claims()?.sub).toBe(String(member.id));
  });

  it('shows only the account that publishes the application', async () => {
    await using started = await start();
    const { world } = started;
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3, 2: 3 } });
    const idsFor = async (accountId: number | null) => {
      const application = await world.application({ accountId });
      const parameters = { scope: 'openid accounts' };
      const { client, tokens } = await signInThrough(world, application, member, { parameters });
      const claims = await oauth.fetchUserInfo(client.config, tokens.access_token, String(member.id));
      return (claims['accounts'] as { id: number }[]).map(({ id }) => id);
    };
    expect(await idsFor(null)).toEqual([1, 2]);
    expect(await idsFor(1)).toEqual([1]);
  });
});

describe('the OAuth provider while the database is down', () => {
  it('answers 503 in the form of OAuth, to applications and on the authorization endpoint, and grants nothing', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { tokens } = await signInThrough(world, application, member);
    const { limits, access } = world.main.services;
    const away = new DatabaseUnavailableError('refused');
    const limited = vi.spyOn(limits, 'usedUpFor').mockRejectedValue(away);
    const answer = await exchange(world, application, { grant_type: 'refresh_token', refresh_token: 'x' });
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true]);
    expect(await answer.json()).toEqual({ error: 'temporarily_unavailable' });
    limited.mockRestore();
    const reading = vi.spyOn(access, 'current').mockRejectedValue(away);
    const userinfo = await world.main.send('/oauth/userinfo', { bearer: tokens.access_token });
    expect(userinfo.status).toBe(503);
    const url = `${world.main.url}/oauth/authorize?client_id=${application.clientId}`;
    const cookie = `${world.main.services.cookies.name}=${member.token}`;
    expect((await fetch(url, { redirect: 'manual', headers: { cookie } })).status).toBe(503);
    reading.mockRestore();
  });
});

describe('a web page of an application', () => {
  it('may call from its own origin with a bearer token, and pages of other origins cannot read the answer', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { tokens } = await signInThrough(world, application, member);
    const headers = {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    };
    const readableBy = async (origin: string) => {
      const userinfo = `${world.main.url}/oauth/userinfo`;
      const before = await fetch(userinfo, { method: 'OPTIONS', headers: { ...headers, origin } });
      expect(before.headers.get('access-control-allow-headers')).toContain('Authorization');
      const authorization = `Bearer ${tokens.access_token}`;
      const answer = await fetch(userinfo, { headers: { origin, authorization } });
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    expect(await readableBy('https://wiki.example.com')).toEqual([200, 'https://wiki.example.com']);
    expect(await readableBy('https://evil.example')).toEqual([400, null]);
  });
});

describe('an application', () => {
  it('can introspect only its own tokens, and none with a wrong secret', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { tokens } = await signInThrough(world, application, member);
    const stranger = await world.client(await world.application());
    expect((await oauth.tokenIntrospection(stranger.config, tokens.access_token)).active).toBe(false);
    const wrong = withWrongSecret(application);
    const answer = await exchange(world, wrong, { grant_type: 'refresh_token', refresh_token: 'x' });
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  it('is refused for a minute after twenty wrong secrets from one address, and not after wrong codes', async () => {
    await using started = await start();
    const { world, application } = started;
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const wrong = withWrongSecret(application);
    const statuses = async (by: TestApplication, times: number) => {
      const seen: number[] = [];
      for (let at = 0; at < times; at += 1) seen.push((await exchange(world, by, form)).status);
      return [...new Set(seen)];
    };
    expect(await statuses(application, 22)).toEqual([400]);
    expect(await statuses(wrong, 20)).toEqual([401]);
    expect(await statuses(wrong, 2)).toEqual([429]);
  });

  it('with pairwise subjects sees other member ids than applications at other hosts', async () => {
    await using started = await start();
    const { world, member } = started;
    const subjects: (string | undefined)[] = [];
    for (const host of ['wiki.example.com', 'wiki.example.com', 'blog.example.com']) {
      const redirectUris = [`https://${host}/callback`];
      const application = await world.application({ subjectType: 'pairwise', redirectUris });
      const parameters = { redirect_uri: redirectUris[0] ?? '' };
      const { tokens } = await signInThrough(world, application, member, { parameters });
      subjects.push(tokens.claims()?.sub);
    }
    const [first, same, other] = subjects;
    expect(same).toBe(first);
    expect(new Set([first, other, String(member.id)]).size).toBe(3);
  });

  it('of the deployment skips consent where staff allow it, and may omit PKCE if it sends a nonce', async () => {
    await using started = await start();
    const { world, member } = started;
    const application = await world.application({ skipConsent: true, pkceExempt: true });
    const { tokens } = await signInThrough(world, application, member);
    expect(tokens.claims()?.sub).toBe(String(member.id));
    expect(await world.db.select().from(world.db.tables.consents)).toHaveLength(1);
    const client = await world.client(application);
    const browser = world.browser(member);
    const plain = new URL((await client.begin()).url);
    for (const name of ['code_challenge', 'code_challenge_method']) plain.searchParams.delete(name);
    expect(errorOf((await browser.visit(plain.href)).url)).toBe('invalid_request');
    plain.searchParams.set('nonce', 'n-0S6_WzA2Mj');
    const { searchParams } = new URL((await browser.visit(plain.href)).url);
    expect(searchParams.get('code')).toBeTruthy();
  });

  it('leaves no token, code or session in the database in plain text', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { tokens, callback } = await signInThrough(world, application, member, { parameters: OFFLINE });
    const rows = JSON.stringify(await world.db.select().from(world.db.tables.oauthArtifacts));
    const code = new URL(callback).searchParams.get('code') ?? '';
    for (const secret of [code, tokens.access_token, tokens.refresh_token ?? '', application.secret])
      expect(rows).not.toContain(secret);
  });
});

describe('what a session shares with applications', () => {
  it('is one grant and one number, even when six requests ask for it at once', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const first = await signInThrough(world, application, member);
    const sid = first.tokens.claims()?.['sid'];
    const many = await Promise.all(
      Array.from({ length: 6 }, () => signInThrough(world, application, member)),
    );
    expect(new Set(many.map(({ tokens }) => tokens.claims()?.['sid']))).toEqual(new Set([sid]));
    const rows = await world.db.select().from(world.db.tables.oauthArtifacts);
    expect(rows.filter(({ model }) => model === 'Grant')).toHaveLength(1);
    expect(rows.filter(({ model }) => model === 'Session')).toHaveLength(0);
  });

  it('says in ID tokens how and when the person signed in', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { tokens } = await signInThrough(world, application, member);
    expect(tokens.claims()).toMatchObject({
      acr: '1',
      amr: expect.any(Array),
      auth_time: expect.any(Number),
      sid: expect.any(String),
    });
  });

  it('stays ended after a code was used twice, even after another sign-in', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    const begun = await client.begin();
    const { url } = await browser.visit(begun.url);
    const back = await browser.visit(url, {});
    const tokens = await begun.finish(back.url);
    await expect(begun.finish(back.url)).rejects.toMatchObject({ error: 'invalid_grant' });
    const again = await signInThrough(world, application, member);
    const isActive = async (token: string) => (await oauth.tokenIntrospection(client.config, token)).active;
    expect([await isActive(tokens.access_token), await isActive(again.tokens.access_token)]).toEqual([
      false,
      true,
    ]);
  });

  it('gives one code for one consent, however often the browser continues', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    const { url } = await browser.visit((await client.begin()).url);
    const agreed = await browser.send(url, {});
    const on = agreed.headers.get('refresh')?.replace('0;url=', '') ?? '';
    const answers = await Promise.all(Array.from({ length: 6 }, () => browser.send(on)));
    const codes = answers.filter((answer) => answer.headers.get('location')?.startsWith(`${CALLBACK}?code=`));
    expect(codes).toHaveLength(1);
  });
});

describe('an application whose owners change it', () => {
  it('no longer learns what it may no longer ask for, nor anything of others through a host that it adopts', async () => {
    await using started = await start();
    const { world, member } = started;
    const victim = await world.application({ subjectType: 'pairwise' });
    const mine = await world.application({ subjectType: 'pairwise', accountId: 1 });
    const parameters = { scope: 'openid email' };
    const known = (await signInThrough(world, victim, member, { parameters })).tokens.claims()?.sub;
    const { client, tokens } = await signInThrough(world, mine, member, { parameters });
    expect(tokens.claims()?.sub).not.toBe(known);
    const sub = tokens.claims()?.sub ?? '';
    expect(await oauth.fetchUserInfo(client.config, tokens.access_token, sub)).toHaveProperty('email');
    await changeAccess(world.db, {}, async (tx) => {
      const row = await findApplicationById(tx, mine.id);
      if (row) await setApplication(tx, { ...row, scopes: ['openid'], nowMs: Date.now() });
    });
    expect(await oauth.fetchUserInfo(client.config, tokens.access_token, sub)).not.toHaveProperty('email');
  });

  it("admits and keeps no member whose session is below the account's level or whose account is closed", async () => {
    await using started = await start();
    const { world, member } = started;
    const application = await world.application({ accountId: 1 });
    const parameters = { scope: 'openid email' };
    const { tokens } = await signInThrough(world, application, member, { parameters });
    const opens = async () =>
      (await world.other.send('/oauth/userinfo', { bearer: tokens.access_token })).status;
    expect(await opens()).toBe(200);
    const nowMs = Date.now();
    await changeAccess(world.db, { accounts: [1] }, (tx) =>
      setAccountPolicy(tx, {
        accountId: 1,
        requiredLevel: 2,
        requiredFromMs: null,
        requiredUntilThen: 1,
        nowMs,
      }),
    );
    expect(await opens()).toBe(401);
    const browser = world.browser(member);
    const page = await browser.visit((await (await world.client(application)).begin(parameters)).url);
    expect(page).toMatchObject({ status: 403, page: expect.stringContaining('second step') });
    // There is no portal here that could take the step.
    expect(page.page).toContain('Sign in again with a second step');
    expect(page.page).not.toContain('<a ');
    expect((await browser.visit(page.url, {})).status).toBe(403);
  });
});

describe('a visitor who is not signed in', () => {
  it('is led back after signing out, and leaves nothing in the database', async () => {
    await using started = await start();
    const { world, application } = started;
    const stranger = world.browser(undefined);
    const leave = (query: Record<string, string>) =>
      stranger.visit(`${world.baseUrl}/oauth/logout?${new URLSearchParams(query).toString()}`);
    const back = 'https://wiki.example.com/';
    const asked = { client_id: application.clientId, post_logout_redirect_uri: back, state: 's' };
    expect((await leave(asked)).url).toBe(`${back}?state=s`);
    for (const query of [
      {},
      { ...asked, post_logout_redirect_uri: 'https://evil.example/' },
      { id_token_hint: 'a.b.c' },
    ])
      expect(await leave(query)).toMatchObject({
        status: 200,
        page: expect.stringContaining('You are signed out'),
      });
    expect(await world.db.select().from(world.db.tables.oauthArtifacts)).toEqual([]);
    expect([...stranger.jar]).toEqual([]);
  });

  it('may also arrive by a form, and has no session here if it ended elsewhere', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const client = await world.client(application);
    const browser = world.browser(member);
    const { url } = await client.begin();
    const { searchParams } = new URL(url);
    const page = await browser.visit(`${world.baseUrl}/oauth/authorize`, Object.fromEntries(searchParams));
    expect(page).toMatchObject({ status: 200, page: expect.stringContaining('Let Wiki use your account?') });
    const agreed = await browser.send(page.url, {});
    await world.main.send('/auth/logout', { token: member.token, method: 'POST' });
    const on = agreed.headers.get('refresh')?.replace('0;url=', '') ?? '';
    expect((await browser.visit(on)).status).toBe(400);
    expect([...browser.jar.keys()]).not.toContain('gatehouse-oauth');
    const silent = await browser.visit((await client.begin({ prompt: 'none' })).url);
    expect(errorOf(silent.url)).toBe('login_required');
  });
});

describe('signing out at an application', () => {
  it('ends the session at once with its ID token, and asks for confirmation without', async () => {
    await using started = await start();
    const { world, member, application } = started;
    const { tokens, browser, client } = await signInThrough(world, application, member);
    const leave = (more: Record<string, string>) =>
      oauth.buildEndSessionUrl(client.config, {
        post_logout_redirect_uri: 'https://wiki.example.com/',
        ...more,
      }).href;
    const asked = await browser.visit(leave({}));
    expect(asked).toMatchObject({ status: 200, page: expect.stringContaining('Sign out?') });
    expect((await world.other.send('/auth/me', { token: member.token })).status).toBe(200);
    const elsewhere = { post_logout_redirect_uri: 'https://evil.example/', client_id: application.clientId };
    expect((await browser.visit(leave(elsewhere))).status).toBe(400);
    const left = await browser.visit(leave({ id_token_hint: tokens.id_token ?? '', state: 's' }));
    expect(left.url).toBe('https://wiki.example.com/?state=s');
    expect((await world.other.send('/auth/me', { token: member.token })).status).toBe(401);
    expect(browser.jar.has(world.main.services.cookies.name)).toBe(false);
  });
});
