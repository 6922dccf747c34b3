import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { insertApplication } from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { createGuardedClient } from '@gatehouse/runtime/network/guarded-client';
import { blockOf, insertTestMember } from '@gatehouse/testkit';
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'openid-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memberErasure } from '../../account/erasure-jobs.js';
import { standingToken } from '../../core/guard/standing-token.js';
import { endGrace } from '../../test/end-grace.js';
import { at, type OauthWorld, startOauthWorld } from '../../test/oauth-world.js';
import { findClientDocument, isDocumentUrl } from './client-document.js';

const BACK = 'http://127.0.0.1:53682/callback';

afterEach(() => void vi.useRealTimers());

/** The host of an application's document, with configured answers. */
async function startHost() {
  const seen: string[] = [];
  const host = {
    url: '',
    seen,
    said: {} as Record<string, unknown>,
    headers: { 'content-type': 'application/json' } as Record<string, string>,
    answer: undefined as RequestListener | undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (host.answer) return host.answer(request, response);
    response.writeHead(200, host.headers).end(JSON.stringify(host.said));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  host.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/agent.json`;
  host.said = {
    client_id: host.url,
    client_name: 'Helper <b>',
    redirect_uris: [BACK, 'https://agent.example.com/back'],
    token_endpoint_auth_method: 'none',
  };
  host[Symbol.asyncDispose] = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return host;
}

type Host = Awaited<ReturnType<typeof startHost>>;

async function start({ now = Date.now, hosts = '127.0.0.1' } = {}) {
  const host = await startHost();
  const world = await startOauthWorld(now, { OAUTH_CLIENT_DOCUMENTS: hosts });
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1, 2: 1 } });
  return {
    host,
    world,
    member,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}

/** A sign-in of the application that a document describes. */
async function begin(
  world: OauthWorld,
  host: Host,
  more: Record<string, string> = {},
  proof: oauth.ClientAuth = oauth.None(),
) {
  const config = await oauth.discovery(new URL(world.baseUrl), host.url, undefined, proof, {
    // oxlint-disable-next-line typescript/no-deprecated -- the services of tests have no TLS
    execute: [oauth.allowInsecureRequests],
    [oauth.customFetch]: (url, options) => fetch(at(world.main, url), options as RequestInit),
  });
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const { href: url } = oauth.buildAuthorizationUrl(config, {
    redirect_uri: BACK,
    scope: 'read offline_access',
    prompt: 'consent',
    resource: world.baseUrl,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...more,
  });
  const finish = (back: string) =>
    oauth.authorizationCodeGrant(config, new URL(back), { pkceCodeVerifier, idTokenExpected: false });
  return { config, url, finish };
}

const shownIn = (page: string) => /name="shown" value="(\w+)"/.exec(page)?.[1] ?? '';

/** Lets the application act in account 1. */
async function connect({ world, host, member }: Awaited<ReturnType<typeof start>>, proof?: oauth.ClientAuth) {
  const begun = await begin(world, host, {}, proof);
  const browser = world.browser(member);
  const { url, page } = await browser.visit(begun.url);
  const back = await browser.visit(url, { account: '1', scopes: 'read', shown: shownIn(page) });
  return { ...begun, browser, tokens: await begun.finish(back.url) };
}

async function statusOf(on: OauthWorld['main'], token: string) {
  const response = await on.send('/v1/member/list', { headers: { authorization: `Bearer ${token}` } });
  return response.status;
}

describe('an application that a document describes', () => {
  it('is accepted with the document that the guide to agents shows', async () => {
    await using started = await start();
    const { world, host } = started;
    const shown = JSON.parse(blockOf('docs/agents.md', '"token_endpoint_auth_method"')) as {
      client_id: string;
    };
    host.said = { ...shown, client_id: host.url };
    const redirect_uri = 'http://127.0.0.1:40123/callback';
    const begun = await begin(world, host, { redirect_uri });
    const asking = await world.browser(started.member).visit(begun.url);
    expect(asking.page).toContain('Let Helper use your account?');
  });

  it('is accepted after a page that names its host, and then acts like a registered application', async () => {
    await using started = await start();
    const { world, host, member } = started;
    const begun = await begin(world, host);
    const browser = world.browser(member);
    const asking = await browser.visit(begun.url);
    expect(asking.page).toContain('Let Helper &lt;b&gt; use your account?');
    expect(asking.page).toContain(new URL(host.url).host);
    expect(asking.page).toContain('You will return to an app on this device.');
    const sent = { account: '1', scopes: 'read', shown: shownIn(asking.page) };
    const back = await browser.visit(asking.url, sent);
    const tokens = await begun.finish(back.url);
    expect(await statusOf(world.other, tokens.access_token)).toBe(200);
    const refreshed = await oauth.refreshTokenGrant(begun.config, tokens.refresh_token ?? '');
    expect(await statusOf(world.main, refreshed.access_token)).toBe(200);
    const response = await world.main.send('/v1/consent/applications', { token: member.token });
    const { data } = (await response.json()) as { data: { id: number }[] };
    expect(data).toMatchObject([{ name: 'Helper <b>', type: 'document', host: '127.0.0.1', inAccountId: 1 }]);
    const { database } = world.main;
    const { applications, auditLog } = database.tables;
    const rows = await database
      .select({ type: applications.type, by: applications.createdById })
      .from(applications);
    expect(rows).toEqual([{ type: 'document', by: member.id }]);
    const actions = await database.select({ action: auditLog.action }).from(auditLog);
    expect(actions).toContainEqual({ action: 'consent.given' });
    const body = { consentId: data[0]?.id };
    expect((await world.main.send('/v1/consent/withdraw', { token: member.token, body })).status).toBe(200);
    expect(await statusOf(world.other, refreshed.access_token)).toBe(401);
  });

  it('asks at each sign-in, on a page that preselects nothing, even with one organization', async () => {
    await using started = await start();
    const { world, host } = started;
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
    await connect({ ...started, member });
    for (const more of [{}, { prompt: 'login' }, { prompt: 'none' }, { account: '1' }]) {
      const begun = await begin(world, host, { scope: 'read', ...more });
      const browser = world.browser(member);
      const { url, page } = await browser.visit(begun.url);
      if (more.prompt === 'none') expect(url).toContain('error=interaction_required');
      else if (more.prompt !== 'login') {
        expect(page).toContain('Let Helper');
        expect(page).not.toMatch(/(?:checked|selected)>/);
      }
    }
  });

  it('stores nothing in the database before a person agrees', async () => {
    await using started = await start();
    const { world, host, member } = started;
    const begun = await begin(world, host);
    const browser = world.browser(member);
    await browser.visit(begun.url);
    const { applications } = world.db.tables;
    expect(await world.db.select().from(applications)).toEqual([]);
  });

  it('asks again when its document changes after the page was shown', async () => {
    let aheadMs = 0;
    await using started = await start({ now: () => Date.now() + aheadMs });
    const { world, host, member } = started;
    const begun = await begin(world, host);
    const browser = world.browser(member);
    const { url, page } = await browser.visit(begun.url);
    aheadMs = 6 * 60_000;
    host.said['client_name'] = 'Your bank';
    const choice = { account: '1', scopes: 'read' };
    const again = await browser.visit(url, { ...choice, shown: shownIn(page) });
    expect([again.status, again.page]).toEqual([400, expect.stringContaining('Let Your bank use')]);
    expect(again.page).toContain('details have changed. Please review them again');
    expect(again.page).not.toMatch(/(?:checked|selected)>/);
    const { url: left } = await browser.visit(url, { ...choice, shown: shownIn(again.page) });
    const tokens = await begun.finish(left);
    expect(await statusOf(world.main, tokens.access_token)).toBe(200);
  });

  it('gets no code at a redirect URI that its document no longer lists', async () => {
    let aheadMs = 0;
    await using started = await start({ now: () => Date.now() + aheadMs });
    const { world, host, member } = started;
    const begun = await begin(world, host);
    const browser = world.browser(member);
    const { url } = await browser.visit(begun.url);
    aheadMs = 6 * 60_000;
    host.said['redirect_uris'] = ['https://agent.example.com/back'];
    const again = await browser.visit(url, { account: '1', scopes: 'read' });
    const sent = { account: '1', scopes: 'read', shown: shownIn(again.page) };
    const { url: left, status } = await browser.visit(url, sent);
    expect([left.startsWith(world.baseUrl), status]).toEqual([true, 400]);
  });

  it('may push its request in advance, and is identified by its document', async () => {
    await using started = await start();
    const { world, host, member } = started;
    const { url } = await begin(world, host);
    const body = new URL(url).searchParams;
    const pushed = await fetch(`${world.main.url}/oauth/par`, { method: 'POST', body });
    const { request_uri } = (await pushed.json()) as { request_uri: string };
    const query = new URLSearchParams({ client_id: host.url, request_uri });
    const { page } = await world
      .browser(member)
      .visit(`${world.baseUrl}/oauth/authorize?${query.toString()}`);
    expect([pushed.status, page]).toEqual([201, expect.stringContaining('Let Helper')]);
    host.said['client_id'] = 'https://agent.example.com/';
    await using other = await startHost();
    other.said = host.said;
    body.set('client_id', other.url);
    expect((await fetch(`${world.main.url}/oauth/par`, { method: 'POST', body })).status).toBe(400);
  });

  it('is in the export of a member who approved it, and its consents are erased with the member', async () => {
    await using started = await start();
    const { host, world, member } = started;
    const { main, db } = world;
    const { tokens } = await connect(started);
    const other = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 2 } });
    const theirs = await connect({ ...started, member: other });
    const exported = await main.send('/v1/member/exportOwn', { token: member.token });
    expect(exported.status).toBe(200);
    const { data } = (await exported.json()) as { data: { applications: unknown[] } };
    expect(data.applications).toMatchObject([{ name: 'Helper <b>', scopes: ['offline_access', 'read'] }]);
    expect(JSON.stringify(data)).not.toContain(tokens.access_token);
    const answer = await main.send('/v1/member/deleteOwn', { token: member.token, body: {} });
    expect(answer.status).toBe(200);
    await endGrace(db, 31 * 86_400_000);
    expect(await memberErasure.run(main.services)).toBe(1);
    const { applications, consents, oauthArtifacts } = db.tables;
    for (const table of [consents, oauthArtifacts]) {
      const holders = new Set((await db.select().from(table)).map(({ memberId }) => memberId));
      expect(holders).toEqual(new Set([other.id]));
    }
    expect(await db.select().from(applications)).toMatchObject([{ clientId: host.url, type: 'document' }]);
    expect([
      await statusOf(main, tokens.access_token),
      await statusOf(main, theirs.tokens.access_token),
    ]).toEqual([401, 200]);
  });

  it('loses access when the operator no longer permits it', async () => {
    await using started = await start();
    const { tokens } = await connect(started);
    const { services } = started.world.main;
    const found = (hosts: readonly string[]) => {
      const config = { ...services.config, OAUTH_CLIENT_DOCUMENTS: hosts };
      return standingToken({ ...services, config }, tokens.access_token);
    };
    expect(await found(['127.0.0.1'])).toBeDefined();
    expect(await found(['agent.example.com'])).toBeUndefined();
    expect(await found([])).toBeUndefined();
  });

  it.each(['jwks', 'jwks_uri'] as const)(
    'proves its identity by the keys of %s in its document, and not by removed ones',
    async (named) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
      await using started = await start();
      const { world, host } = started;
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const served = { keys: [{ ...(await exportJWK(publicKey)), kid: 'now' }] };
      const document = () => ({
        ...host.said,
        token_endpoint_auth_method: 'private_key_jwt',
        [named]: named === 'jwks' ? served : host.url.replace('agent', 'keys'),
      });
      host.answer = ({ url }, response) =>
        response.writeHead(200, host.headers).end(JSON.stringify(url === '/keys.json' ? served : document()));
      const proof = oauth.PrivateKeyJwt({ key: privateKey, kid: 'now' });
      const { browser, config, tokens } = await connect(started, proof);
      expect(await statusOf(world.other, tokens.access_token)).toBe(200);
      const send = async (on: OauthWorld['main'], refreshToken: string) => {
        const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: host.url };
        const response = await fetch(`${on.url}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams(form),
        });
        return response.status;
      };
      const known = tokens.refresh_token ?? '';
      expect([await send(world.main, known), await send(world.other, known)]).toEqual([401, 401]);
      const refreshed = await oauth.refreshTokenGrant(config, known);
      expect(await statusOf(world.main, refreshed.access_token)).toBe(200);
      // Signing out is not a proof.
      vi.setSystemTime(Date.now() + 301_000);
      const reads = host.seen.length;
      const query = new URLSearchParams({ client_id: host.url });
      const leaving = await browser.visit(`${world.baseUrl}/oauth/logout?${query.toString()}`);
      expect(leaving.status).toBe(200);
      expect(host.seen).toHaveLength(reads);
      const next = await generateKeyPair('ES256', { extractable: true });
      served.keys = [{ ...(await exportJWK(next.publicKey)), kid: 'next' }];
      vi.setSystemTime(Date.now() + 301_000);
      await expect(oauth.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
        status: 401,
      });
    },
  );

  it('that adds keys to its document needs them after the next consent', async () => {
    let aheadMs = 0;
    await using started = await start({ now: () => Date.now() + aheadMs });
    const { host } = started;
    const { config, tokens } = await connect(started);
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwks = { keys: [await exportJWK(publicKey)] };
    Object.assign(host.said, { token_endpoint_auth_method: 'private_key_jwt', jwks });
    aheadMs = 301_000;
    const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
    await connect(started, oauth.PrivateKeyJwt(privateKey));
    await expect(oauth.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      status: 401,
    });
  });

  it('is not one of the registered applications, which staff and owners change', async () => {
    await using started = await start();
    const { world } = started;
    await connect(started);
    const response = await world.admin.send('/v1/platformApp/list', { token: world.root.token });
    expect(await response.json()).toMatchObject({ data: [] });
  });
});

describe('a client document', () => {
  const wrong: [string, (host: Host) => unknown, string][] = [
    [
      'names another client id',
      ({ said, url }) => (said['client_id'] = `${url}/`),
      'names another client id',
    ],
    ['has a secret', ({ said }) => (said['client_secret'] = 'x'), 'no secret'],
    ['has a secret that is null', ({ said }) => (said['client_secret'] = null), 'no secret'],
    [
      'proves itself by a secret',
      ({ said }) => (said['token_endpoint_auth_method'] = 'client_secret_basic'),
      'no secret',
    ],
    [
      'signs without keys',
      ({ said }) => (said['token_endpoint_auth_method'] = 'private_key_jwt'),
      'either jwks or jwks_uri',
    ],
    [
      'shows a private key',
      ({ said }) =>
        Object.assign(said, {
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'd' }] },
        }),
      'must be a public key',
    ],
    [
      'has its keys at an address with a password',
      ({ said }) =>
        Object.assign(said, {
          token_endpoint_auth_method: 'private_key_jwt',
          jwks_uri: 'https://me:secret@agent.example.com/keys',
        }),
      'must be an https address',
    ],
    [
      'has its keys at an address of the service',
      ({ said }) =>
        Object.assign(said, {
          token_endpoint_auth_method: 'private_key_jwt',
          jwks_uri: 'http://127.0.0.1:4000/oauth/jwks',
        }),
      'not at a host of this service',
    ],
    ['has no name', ({ said }) => delete said['client_name'], 'must have a name'],
    ['has a name of nothing visible', ({ said }) => (said['client_name'] = '\u200b'), 'must have a name'],
    [
      'has a name that turns text around',
      ({ said }) => (said['client_name'] = '\u202eA'),
      'must have a name',
    ],
    ['has no redirect URI', ({ said }) => (said['redirect_uris'] = []), 'redirect URIs'],
    [
      'leads to a script',
      ({ said }) => (said['redirect_uris'] = ['javascript:alert(1)']),
      'no redirect URI that may',
    ],
    [
      'leads to a wildcard',
      ({ said }) => (said['redirect_uris'] = ['https://*.example.com/']),
      'no redirect URI that may',
    ],
    [
      'leads without TLS',
      ({ said }) => (said['redirect_uris'] = ['http://agent.example.com/']),
      'no redirect URI that may',
    ],
    ['is a page', (host) => (host.headers = { 'content-type': 'text/html' }), 'application/json'],
    ['has no type', (host) => (host.headers = {}), 'application/json'],
    [
      'is text that begins like JSON',
      (host) => (host.answer = (_, response) => response.writeHead(200, host.headers).end('{"client_id":')),
      'must have a name',
    ],
    [
      'is a list',
      (host) => (host.answer = (_, response) => response.writeHead(200, host.headers).end('[]')),
      'must have',
    ],
    ['is missing', (host) => (host.answer = (_, response) => response.writeHead(404).end()), 'was not found'],
    [
      'moved',
      (host) =>
        (host.answer = ({ url }, response) =>
          response.writeHead(302, { location: url === '/elsewhere' ? '/agent.json' : '/elsewhere' }).end()),
      'was not found',
    ],
  ];

  it.each(wrong)(
    'that %s does not describe an application, and shows no consent page',
    async (_, spoil, why) => {
      await using started = await start();
      const { world, host, member } = started;
      spoil(host);
      const begun = await begin(world, host);
      const { status, page } = await world.browser(member).visit(begun.url);
      expect([status, page]).toEqual([400, expect.stringContaining(why)]);
      expect(page).not.toContain('Helper');
      expect(host.seen).toEqual(['GET /agent.json']);
    },
  );

  it('may have at most 5 kB, and take at most three seconds', { timeout: 20_000 }, async () => {
    await using started = await start();
    const { world, host } = started;
    const { services } = world.main;
    const find = () => findClientDocument(services, { clientId: host.url, address: '192.0.2.7' });
    const whole = JSON.stringify(host.said);
    const padded = (bytes: number) => whole + ' '.repeat(bytes - Buffer.byteLength(whole));
    let length = 5 * 1024 + 1;
    host.answer = (_, response) => response.writeHead(200, host.headers).end(padded(length));
    expect(await find()).toEqual({ problem: 'the client document is longer than 5 kB' });
    length -= 1;
    expect(await find()).toMatchObject({ document: { name: 'Helper <b>' } });
    await using slow = await startHost();
    slow.answer = (_, response) => {
      response.writeHead(200, slow.headers);
      const timer = setInterval(() => response.write(' '), 200);
      response.on('close', () => clearInterval(timer));
    };
    const beganAt = performance.now();
    expect(await findClientDocument(services, { clientId: slow.url, address: '192.0.2.7' })).toEqual({
      problem: 'the client document was not found',
    });
    expect(performance.now() - beganAt).toBeLessThan(4_500);
  });

  it('with a prototype key describes only what its other keys say', async () => {
    await using started = await start();
    const { world, host } = started;
    const evil = `{"__proto__":{"client_secret":"x","active":false},"constructor":{"prototype":{}},${JSON.stringify(host.said).slice(1)}`;
    host.answer = (_, response) => response.writeHead(200, host.headers).end(evil);
    const found = await findClientDocument(world.main.services, { clientId: host.url, address: '192.0.2.7' });
    expect(found).toEqual({
      document: {
        name: 'Helper <b>',
        redirectUris: [BACK, 'https://agent.example.com/back'],
        keys: { jwks: null, jwksUri: null },
      },
      ...('untilMs' in found ? { untilMs: found.untilMs } : {}),
    });
    expect(({} as { active?: boolean }).active).toBeUndefined();
  });

  it('loses the redirect URIs that no application may have', async () => {
    await using started = await start();
    const { world, host } = started;
    host.said['redirect_uris'] = [
      'http://localhost/callback',
      BACK,
      'data:text/html,x',
      `${world.baseUrl}/x`,
    ];
    expect(
      await findClientDocument(world.main.services, { clientId: host.url, address: '192.0.2.7' }),
    ).toMatchObject({
      document: { redirectUris: [BACK] },
    });
  });

  it('is fetched once for 50 concurrent requests, and then as often as its headers say, from 5 minutes to a day', async () => {
    let aheadMs = 0;
    await using started = await start({ now: () => Date.now() + aheadMs });
    const { world, host } = started;
    const { url } = await begin(world, host);
    const visit = async () => (await fetch(at(world.main, url), { redirect: 'manual' })).status;
    expect(new Set(await Promise.all(Array.from({ length: 50 }, visit)))).toEqual(new Set([303]));
    expect(host.seen).toHaveLength(1);
    const readsAfter = async (ms: number) => {
      aheadMs += ms;
      const before = host.seen.length;
      await visit();
      return host.seen.length - before;
    };
    host.headers['cache-control'] = 'public, max-age=3600';
    expect([await readsAfter(290_000), await readsAfter(11_000)]).toEqual([0, 1]);
    host.headers['cache-control'] = 'no-store, max-age=9999999';
    expect([await readsAfter(3_590_000), await readsAfter(11_000)]).toEqual([0, 1]);
    expect([await readsAfter(86_390_000), await readsAfter(11_000)]).toEqual([0, 1]);
  });

  it('that fails is fetched for at most 60 requests a minute from one address', async () => {
    await using started = await start();
    const { world, host, member } = started;
    host.answer = (_, response) => response.writeHead(404).end();
    const { url } = await begin(world, host);
    const browser = world.browser(member);
    const body = new URL(url).searchParams;
    for (let times = 0; times < 35; times += 1) {
      await browser.send(url);
      await fetch(`${world.main.url}/oauth/par`, { method: 'POST', body });
    }
    expect(host.seen).toHaveLength(60);
    const { page } = await browser.visit(url);
    expect(page).toContain('too many client documents');
    const elsewhere = { clientId: host.url, address: '192.0.2.7' };
    expect(await findClientDocument(world.main.services, elsewhere)).toEqual({
      problem: 'the client document was not found',
    });
  });

  it('is not fetched for a request that only continues an earlier one', async () => {
    await using started = await start();
    const { world, host } = started;
    for (const path of ['token', 'revoke', 'introspect', 'device']) {
      const body = new URLSearchParams({
        client_id: host.url,
        grant_type: 'refresh_token',
        refresh_token: 'x',
        token: 'x',
      });
      const { status } = await fetch(`${world.main.url}/oauth/${path}`, { method: 'POST', body });
      expect([path, status]).toEqual([path, 401]);
    }
    expect(host.seen).toEqual([]);
  });
});

describe('the address of a client document', () => {
  it.each([
    ['https://agent.example.com/agent.json', true],
    ['https://agent.example.com/', true],
    ['https://agent.example.com:8443/a/b', true],
    ['https://agent.example.com', false],
    ['http://agent.example.com/agent.json', false],
    ['https://AGENT.example.com/agent.json', false],
    ['https://agent.example.com/../agent.json', false],
    ['https://agent.example.com/%2e%2e/agent.json', false],
    ['https://agent.example.com/agent.json#x', false],
    ['https://agent.example.com/agent.json?x', false],
    ['https://user@agent.example.com/agent.json', false],
    ['https://agent.example.com\\@other.example/', false],
    ['https://agent.example.com:443/agent.json', false],
    [`https://agent.example.com/${'a'.repeat(200)}`, false],
    ['https://agent.example.com./agent.json', false],
    ['https://a_b.example.com/agent.json', false],
    ['https://[2606:4700::1111]/agent.json', false],
    ['https://localhost/agent.json', false],
    ['https://[', false],
    ['javascript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['wiki', false],
  ])('may be %s in production: %s', (url, may) => {
    expect(isDocumentUrl({ NODE_ENV: 'production' }, url)).toBe(may);
  });

  it.each(['://', 'https://[', 'a://b c'])(
    'that cannot be fetched, such as %s, belongs to an unknown client',
    async (id) => {
      await using started = await start({ hosts: 'any' });
      const query = new URLSearchParams({ client_id: id, response_type: 'code' });
      const { status } = await fetch(`${started.world.main.url}/oauth/authorize?${query.toString()}`);
      expect(status).toBe(400);
    },
  );

  it('leads only to public addresses, even when its name resolves to another address later', async () => {
    await using started = await start({ hosts: 'any' });
    const { world } = started;
    const answers = [['93.184.215.14', '10.0.0.1'], ['127.0.0.1'], ['169.254.169.254'], []];
    for (const addresses of answers) {
      let asked = 0;
      const outbound = createGuardedClient({
        isProduction: true,
        privateNetworks: ['10.0.0.0/8'],
        resolve: () => {
          asked += 1;
          return Promise.resolve(addresses);
        },
      });
      const services = { ...world.main.services, outbound };
      expect(
        await findClientDocument(services, {
          clientId: 'https://rebound.example/agent.json',
          address: '192.0.2.7',
        }),
      ).toEqual({
        problem: 'the client document was not found',
      });
      expect(asked).toBe(1);
    }
    const found = await findClientDocument(world.main.services, {
      clientId: 'https://10.0.0.1/agent.json',
      address: '192.0.2.7',
    });
    expect(found).toEqual({ problem: 'the client document was not found' });
  });
});

describe('a host of client documents', () => {
  it('must be named by the operator; if none is named, the metadata does not mention documents', async () => {
    for (const [hosts, told, answered] of [
      ['any', true, 303],
      ['agent.example.com,127.0.0.1', true, 303],
      ['agent.example.com', true, 400],
      ['off', undefined, 400],
    ] as const) {
      await using started = await start({ hosts });
      const { world, host } = started;
      for (const path of ['openid-configuration', 'oauth-authorization-server']) {
        const response = await world.main.send(`/.well-known/${path}`);
        const metadata = (await response.json()) as Record<string, unknown>;
        expect([hosts, metadata['client_id_metadata_document_supported']]).toEqual([hosts, told]);
      }
      const { url } = await begin(world, host);
      const { status } = await fetch(at(world.main, url), { redirect: 'manual' });
      expect([hosts, status, host.seen.length]).toEqual([hosts, answered, answered === 303 ? 1 : 0]);
    }
  });

  it('loses the access of its applications on every node when staff block it, and describes none until it is allowed', async () => {
    await using started = await start();
    const { world, host, member } = started;
    const { tokens, config } = await connect(started);
    const token = tokens.access_token;
    expect([await statusOf(world.main, token), await statusOf(world.other, token)]).toEqual([200, 200]);
    const block = async (blocked: boolean) => {
      const body = { host: '127.0.0.1', blocked };
      const response = await world.admin.send('/v1/platformApp/blockHost', { token: world.root.token, body });
      expect(response.status).toBe(200);
    };
    await block(true);
    expect([await statusOf(world.other, token), await statusOf(world.main, token)]).toEqual([401, 401]);
    await expect(oauth.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_client',
    });
    const begun = await begin(world, host);
    const { page } = await world.browser(member).visit(begun.url);
    expect(page).toContain('client documents of this host are not accepted');
    const listed = await world.admin.send('/v1/platformApp/blockedHosts', { token: world.root.token });
    expect(await listed.json()).toMatchObject({ data: [{ host: '127.0.0.1', createdById: world.root.id }] });
    await block(true);
    await block(false);
    expect([await statusOf(world.other, token), await statusOf(world.main, token)]).toEqual([200, 200]);
    const { auditLog } = world.db.tables;
    const rows = await world.db.select({ action: auditLog.action }).from(auditLog).orderBy(auditLog.id);
    expect(rows.map(({ action }) => action).filter((action) => action.startsWith('client-host'))).toEqual([
      'client-host.blocked',
      'client-host.allowed',
    ]);
  });

  it('gets no consent when staff block it while the page is shown', async () => {
    await using started = await start();
    const { world, host, member } = started;
    const begun = await begin(world, host);
    const browser = world.browser(member);
    const { url, page } = await browser.visit(begun.url);
    const body = { host: '127.0.0.1', blocked: true };
    await world.admin.send('/v1/platformApp/blockHost', { token: world.root.token, body });
    const sent = { account: '1', scopes: 'read', shown: shownIn(page) };
    expect((await browser.visit(url, sent)).status).toBe(400);
    const { consents } = world.db.tables;
    expect(await world.db.select().from(consents)).toEqual([]);
  });

  it('cannot be approved by a member who has approved a hundred others, but by another member', async () => {
    await using started = await start();
    const { world, host, member } = started;
    const described = { name: 'Other', type: 'document' } as const;
    const rest = {
      accountId: null,
      backchannelLogoutUri: null,
      scopes: ['read'],
      resources: [],
      machineId: null,
      jwks: null,
      jwksUri: null,
    };
    const flags = { subjectType: 'public', active: true, skipConsent: false, pkceExempt: false } as const;
    await changeAccess(world.db, {}, async (tx) => {
      for (let number = 0; number < 100; number += 1) {
        const row = { ...described, ...rest, ...flags, clientId: `${host.url}/${number}` };
        const lists = { redirectUris: [BACK], postLogoutRedirectUris: [] };
        await insertApplication(tx, { ...row, ...lists, createdById: member.id, nowMs: Date.now() });
      }
    });
    const agree = async (person: typeof member) => {
      const { url } = await begin(world, host);
      const browser = world.browser(person);
      const { url: there, page } = await browser.visit(url);
      return browser.visit(there, { account: '1', scopes: 'read', shown: shownIn(page) });
    };
    expect((await agree(member)).status).toBe(409);
    const next = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
    for (const person of [next, member]) expect((await agree(person)).url).toContain('code=');
  });

  it('that an account blocks loses access to that account only', async () => {
    await using started = await start();
    const { world, host, member } = started;
    const { tokens } = await connect(started);
    const token = tokens.access_token;
    expect([await statusOf(world.main, token), await statusOf(world.other, token)]).toEqual([200, 200]);
    const owner = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 0 } });
    const set = (blockedClientHosts: string[]) =>
      world.main.send('/v1/accountPolicy/set', {
        token: owner.token,
        accountId: 1,
        body: { blockedClientHosts },
      });
    expect((await set(['127.0.0.1'])).status).toBe(200);
    expect([await statusOf(world.other, token), await statusOf(world.main, token)]).toEqual([401, 401]);
    const begun = await begin(world, host);
    const { page } = await world.browser(member).visit(begun.url);
    expect(page).toContain('<option value="2">');
    expect(page).not.toContain('<option value="1">');
    expect((await set([])).status).toBe(200);
    expect(await statusOf(world.other, token)).toBe(200);
    expect((await set(['https://agent.example.com'])).status).toBe(400);
  });
});
