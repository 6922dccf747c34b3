import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { insertTestMember } from '@gatehouse/testkit';
import { CompactSign, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as oauth from 'openid-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startMachineApplicationWorld } from '../../test/machine-application-world.js';
import { at, CALLBACK, type OauthWorld, startOauthWorld } from '../../test/oauth-world.js';

afterEach(() => void vi.useRealTimers());

/** What an application signs with, and the public half of it. */
async function makeKey(alg = 'ES256', kid = `key-${alg}`) {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), kid } };
}

type Key = Awaited<ReturnType<typeof makeKey>>;

/** A URL with a set of keys, with configured answers. */
async function serveKeys() {
  const seen: string[] = [];
  const served = { url: '', seen, keys: [] as object[], answer: undefined as RequestListener | undefined };
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    if (served.answer) return served.answer(request, response);
    response
      .writeHead(200, { 'content-type': 'application/jwk-set+json', 'cache-control': 'max-age=31536000' })
      .end(JSON.stringify({ keys: served.keys }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  served.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/keys.json`;
  return Object.assign(served, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

interface Asserted {
  readonly claims?: JWTPayload;
  readonly header?: { readonly alg?: string; readonly kid?: string };
  readonly without?: readonly string[];
}

/** The proof of an application's identity (RFC 7523, section 3). */
async function assertion(
  world: OauthWorld,
  clientId: string,
  key: Pick<Key, 'alg' | 'kid' | 'privateKey'>,
  { claims = {}, header = {}, without = [] }: Asserted = {},
): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const all: JWTPayload = {
    iss: clientId,
    sub: clientId,
    aud: world.baseUrl,
    jti: randomUUID(),
    iat: nowSeconds,
    exp: nowSeconds + 60,
    ...claims,
  };
  const said = Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)));
  return new SignJWT(said).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
}

async function askWith(on: OauthWorld['main'], form: Record<string, string>, basic?: string) {
  const response = await fetch(`${on.url}/oauth/token`, {
    method: 'POST',
    ...(basic === undefined ? {} : { headers: { authorization: `Basic ${btoa(basic)}` } }),
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const withAssertion = (text: string) => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: text,
});

/** The library of an application that proves its identity with its key. */
function discover(world: OauthWorld, clientId: string, key: Pick<Key, 'kid' | 'privateKey'>) {
  const proof = oauth.PrivateKeyJwt({ key: key.privateKey, kid: key.kid });
  return oauth.discovery(new URL(world.baseUrl), clientId, undefined, proof, {
    // oxlint-disable-next-line typescript/no-deprecated -- the services of tests have no TLS
    execute: [oauth.allowInsecureRequests],
    [oauth.customFetch]: (url, options) => fetch(at(world.main, url), options as RequestInit),
  });
}

/** The services, and an application with a key that acts as a machine. */
async function start(key: Key) {
  const started = await startMachineApplicationWorld();
  const { application, by } = started;
  const call = async (path: string, body: object) => {
    const response = await by(path, body);
    const said = (await response.json()) as { data?: Record<string, unknown> };
    return { status: response.status, data: said.data ?? {} };
  };
  const save = (fields: object) => call('/v1/app/save', { applicationId: application.id, ...fields });
  const saved = await save({ jwks: { keys: [key.jwk] } });
  return { ...started, ...application, call, save, saved };
}

describe('an application with keys', () => {
  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('proves its identity by %s', async (alg) => {
    const key = await makeKey(alg);
    await using started = await start(key);
    const { world, clientId, saved } = started;
    expect(saved).toMatchObject({ status: 200, data: { jwks: { keys: [{ kid: key.kid }] }, jwksUri: null } });
    const config = await discover(world, clientId, key);
    expect(config.serverMetadata().token_endpoint_auth_methods_supported).toContain('private_key_jwt');
    const tokens = await oauth.clientCredentialsGrant(config);
    expect(tokens.access_token).toMatch(/^gtha_/);
    const told = await oauth.tokenIntrospection(config, tokens.access_token);
    expect(told).toMatchObject({ active: true, client_id: clientId });
    await oauth.tokenRevocation(config, tokens.access_token);
    expect(await oauth.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  });

  it('signs people in', async () => {
    const key = await makeKey();
    await using world = await startOauthWorld();
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
    const { clientId } = await world.application({ jwks: { keys: [key.jwk as { kty: string }] } });
    const config = await discover(world, clientId, key);
    const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
    const pushed = await oauth.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: CALLBACK,
      scope: 'openid offline_access',
      prompt: 'consent',
      code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const browser = world.browser(member);
    const { url } = await browser.visit(pushed.href);
    const back = await browser.visit(url, {});
    const tokens = await oauth.authorizationCodeGrant(config, new URL(back.url), { pkceCodeVerifier });
    expect(tokens.claims()?.sub).toBe(String(member.id));
    const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.access_token).not.toBe(tokens.access_token);
  });

  it('is refused with its secret, with another key, or with a signature that its key did not make', async () => {
    const key = await makeKey();
    await using started = await start(key);
    const { world, id, clientId, call } = started;
    const refused = await call('/v1/app/addSecret', { applicationId: id });
    expect(refused.status).toBe(400);
    const other = await makeKey();
    const rsa = await makeKey('RS256');
    const publicText = new TextEncoder().encode(JSON.stringify(key.jwk));
    const good = await assertion(world, clientId, key);
    const [head = '', body = '', signature = ''] = good.split('.');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    const texts = [
      await assertion(world, clientId, { ...other, kid: key.kid }),
      await assertion(world, clientId, { ...rsa, kid: key.kid }),
      await new SignJWT({ iss: clientId, sub: clientId, aud: world.baseUrl, jti: 'x', exp: 4e9 })
        .setProtectedHeader({ alg: 'HS256', kid: key.kid })
        .sign(publicText),
      `${unsigned}.${body}.`,
      `${head}.${body}.`,
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      `${head}.${body}`,
      'x',
    ];
    for (const text of texts) {
      const { status, body: said } = await askWith(world.main, withAssertion(text));
      expect([status, said['access_token']]).toEqual([
        expect.toSatisfy((code) => code === 400 || code === 401),
        undefined,
      ]);
    }
    expect((await askWith(world.main, withAssertion(good))).status).toBe(200);
  });

  it('with a secret older than its keys cannot use the secret until the keys are removed', async () => {
    const key = await makeKey();
    await using started = await start(key);
    const { world, clientId, secret, save } = started;
    const ask = (on: OauthWorld['main']) =>
      fetch(`${on.url}/oauth/introspect`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
        body: new URLSearchParams({ token: 'x' }),
      }).then(({ status }) => status);
    expect([await ask(world.main), await ask(world.other)]).toEqual([401, 401]);
    const text = () => assertion(world, clientId, key);
    const introspect = async (on: OauthWorld['main']) =>
      (
        await fetch(`${on.url}/oauth/introspect`, {
          method: 'POST',
          body: new URLSearchParams({ token: 'x', ...withAssertion(await text()) }),
        })
      ).status;
    expect([await introspect(world.main), await introspect(world.other)]).toEqual([200, 200]);
    expect((await save({ jwks: null })).status).toBe(200);
    expect([await introspect(world.other), await ask(world.other)]).toEqual([401, 200]);
  });

  it.each<[string, Asserted]>([
    ['is for another service', { claims: { aud: 'https://other.example.com' } }],
    ['is for no service', { without: ['aud'] }],
    ['has expired', { claims: { exp: Math.floor(Date.now() / 1000) - 60 } }],
    ['never expires', { without: ['exp'] }],
    ['lives for more than ten minutes', { claims: { exp: Math.floor(Date.now() / 1000) + 700 } }],
    ['expires at no number', { claims: { exp: 'tomorrow' as unknown as number } }],
    ['has no id', { without: ['jti'] }],
    ['is of another issuer', { claims: { iss: 'another' } }],
    ['has no issuer', { without: ['iss'] }],
    ['begins later', { claims: { nbf: Math.floor(Date.now() / 1000) + 120 } }],
    ['names a key that is not there', { header: { kid: 'gone' } }],
  ])('is refused with an assertion that %s', async (_, wrong) => {
    const key = await makeKey();
    await using started = await start(key);
    const { world, clientId } = started;
    const { status, body } = await askWith(
      world.main,
      withAssertion(await assertion(world, clientId, key, wrong)),
    );
    expect([status, body['error']]).toEqual([401, 'invalid_client']);
  });

  it('cannot use an assertion of more than 8,192 characters, however deeply it is nested', async () => {
    const key = await makeKey();
    await using started = await start(key);
    const { world, clientId } = started;
    const statusOf = async (levels: number) => {
      const [, body = ''] = (await assertion(world, clientId, key, { claims: { nested: 'x' } })).split('.');
      const claims = Buffer.from(body, 'base64url').toString();
      const nested = claims.replace('"x"', '['.repeat(levels) + ']'.repeat(levels));
      const text = await new CompactSign(new TextEncoder().encode(nested))
        .setProtectedHeader({ alg: key.alg, kid: key.kid })
        .sign(key.privateKey);
      const { status } = await askWith(world.main, withAssertion(text));
      return [text.length > 8_192, status];
    };
    expect(await statusOf(2_800)).toEqual([false, 200]);
    expect(await statusOf(10_000)).toEqual([true, 401]);
  });

  it('uses an assertion once, even in 50 concurrent requests to two nodes', async () => {
    const key = await makeKey();
    await using started = await start(key);
    const { world, clientId } = started;
    const form = withAssertion(await assertion(world, clientId, key));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => askWith(turn % 2 === 0 ? world.main : world.other, form)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await askWith(world.other, form)).status).not.toBe(200);
  });

  it('cannot pass for another one with its key', async () => {
    const key = await makeKey();
    await using started = await start(key);
    const { world, clientId } = started;
    const victim = await world.application({ jwks: { keys: [(await makeKey()).jwk as { kty: string }] } });
    for (const claims of [{ sub: victim.clientId }, { iss: victim.clientId, sub: victim.clientId }]) {
      const text = await assertion(world, clientId, key, { claims });
      expect((await askWith(world.main, withAssertion(text))).status).toBe(401);
    }
    const text = await assertion(world, clientId, key);
    const named = await askWith(world.main, { client_id: victim.clientId, ...withAssertion(text) });
    expect(named.body['access_token']).toBeUndefined();
  });

  it('is refused with a removed key from the next request on', async () => {
    const [first, second] = [await makeKey('ES256', 'first'), await makeKey('ES256', 'second')];
    await using started = await start(first);
    const { world, clientId, save } = started;
    const statusOf = async (key: Key) =>
      (await askWith(world.other, withAssertion(await assertion(world, clientId, key)))).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 401]);
    expect((await save({ jwks: { keys: [first.jwk, second.jwk] } })).status).toBe(200);
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
    expect((await save({ jwks: { keys: [second.jwk] } })).status).toBe(200);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  });
});

describe('the keys of an application', () => {
  it('must be public and strong, of a type that keeps a secret, and given in only one way', async () => {
    const key = await makeKey();
    await using started = await start(key);
    const { call, save } = started;
    const weak = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 });
    const { n = '', ...rsa } = await exportJWK(weak.publicKey);
    const half = { ...rsa, n: Buffer.from(n, 'base64url').subarray(128).toString('base64url') };
    const pair = await generateKeyPair('ES256', { extractable: true });
    const p384 = await exportJWK((await generateKeyPair('ES384', { extractable: true })).publicKey);
    const bad: unknown[] = [
      { keys: [] },
      { keys: Array.from({ length: 11 }, () => key.jwk) },
      { keys: [await exportJWK(pair.privateKey)] },
      { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] },
      { keys: [key.jwk, half] },
      { keys: [{ ...rsa, n: Buffer.alloc(1024, 0xff).toString('base64url') }] },
      ...['AQ', 'Aw', Buffer.alloc(250, 0xff).toString('base64url')].map((e) => ({
        keys: [{ ...rsa, n, e }],
      })),
      { keys: [p384] },
      { keys: [{ ...key.jwk, use: 'enc' }] },
      { keys: [{ ...key.jwk, alg: 'HS256' }] },
      { keys: [{ ...key.jwk, x: 'AAAA' }] },
      { keys: [{ kty: 'EC' }] },
      { keys: ['x'] },
      [key.jwk],
      'x',
    ];
    for (const jwks of bad) expect((await save({ jwks })).status).toBe(400);
    const both = { jwks: { keys: [key.jwk] }, jwksUri: 'https://app.example.com/keys.json' };
    expect((await save(both)).status).toBe(400);
    for (const jwksUri of [
      'http://app.example.com/',
      'https://127.0.0.1/',
      'https://u@app.example.com/',
      'x',
    ])
      expect((await save({ jwks: null, jwksUri })).status).toBe(400);
    const spa = { type: 'spa', name: 'Spa', redirectUris: [CALLBACK], jwks: { keys: [key.jwk] } };
    expect((await call('/v1/app/save', spa)).status).toBe(400);
    const exported = { ...key.jwk, key_ops: ['verify'], ext: true };
    const kept = await save({ jwks: { keys: [exported] } });
    expect(kept.data['jwks']).toEqual({ keys: [key.jwk] });
  });

  it('are fetched from their URL, and again after five minutes, which response headers cannot change', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await using served = await serveKeys();
    await using world = await startOauthWorld();
    const [first, second] = [await makeKey('ES256', 'first'), await makeKey('ES256', 'second')];
    served.keys = [first.jwk];
    const { clientId } = await world.application({ jwksUri: served.url });
    const statusOf = async (key: Key) => {
      const response = await fetch(`${world.main.url}/oauth/introspect`, {
        method: 'POST',
        body: new URLSearchParams({ token: 'x', ...withAssertion(await assertion(world, clientId, key)) }),
      });
      return response.status;
    };
    expect([await statusOf(first), await statusOf(first), await statusOf(second)]).toEqual([200, 200, 401]);
    expect(served.seen).toEqual(['/keys.json']);
    served.keys = [second.jwk];
    expect(await statusOf(first)).toBe(200);
    vi.setSystemTime(Date.now() + 301_000);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    expect(served.seen).toHaveLength(2);
  });

  it.each<[string, RequestListener]>([
    ['are longer than 16 kB', (_, response) => void response.end(`{"keys":[]}${' '.repeat(17_000)}`)],
    ['are no JSON', (_, response) => void response.end('<html>')],
    ['are not found', (_, response) => void response.writeHead(404).end('{"keys":[]}')],
    [
      'are elsewhere',
      (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['do not come', () => undefined],
    ['break off', (_, response) => void response.writeHead(200, { 'content-length': '99' }).write('{')],
  ])('at a URL prove nothing if they %s', async (_, answer) => {
    await using served = await serveKeys();
    await using world = await startOauthWorld();
    const key = await makeKey();
    served.keys = [key.jwk];
    served.answer = answer;
    const { clientId } = await world.application({ jwksUri: served.url });
    const ask = async () => {
      const form = withAssertion(await assertion(world, clientId, key));
      return (
        await fetch(`${world.main.url}/oauth/introspect`, {
          method: 'POST',
          body: new URLSearchParams({ token: 'x', ...form }),
        })
      ).status;
    };
    expect(await ask()).toBe(401);
    served.answer = undefined;
    expect(await ask()).toBe(200);
  });

  it('that cannot be fetched are requested for at most 20 requests a minute from one address, and known keys stay valid', async () => {
    await using served = await serveKeys();
    await using world = await startOauthWorld();
    const key = await makeKey();
    served.keys = [key.jwk];
    const ask = async (clientId: string) => {
      const form = withAssertion(await assertion(world, clientId, key));
      const body = new URLSearchParams({ token: 'x', ...form });
      return (await fetch(`${world.main.url}/oauth/introspect`, { method: 'POST', body })).status;
    };
    const known = await world.application({ jwksUri: served.url });
    expect(await ask(known.clientId)).toBe(200);
    served.answer = (_, response) => void response.writeHead(404).end();
    served.seen.length = 0;
    const unknown = await world.application({ jwksUri: served.url });
    const statuses: number[] = [];
    for (let times = 0; times < 25; times += 1) statuses.push(await ask(unknown.clientId));
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    expect(served.seen).toHaveLength(20);
    expect(await ask(known.clientId)).toBe(200);
  });
});
