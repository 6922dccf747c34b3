import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '@gatehouse/api-main/app';
import { findFreePort, insertTestMember, type RunningService, startService } from '@gatehouse/testkit';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createMainClient, isGatehouseError, memoryStore } from './main.js';
import { createVerifier, isAccessRefused, isUnavailable } from './verify.js';

const ORIGIN = 'https://api.product.test';
const OWNER = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** As `resource.save` of the admin service does. */
async function register({ database }: RunningService, origin: string): Promise<void> {
  const at = { createdAtMs: Date.now(), updatedAtMs: Date.now() };
  await database.insert(database.tables.resources, {
    origin,
    name: 'Invoices',
    ttlSeconds: 60,
    applicationTokens: 'opaque',
    ...at,
  });
}

async function start() {
  const port = await findFreePort();
  const service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  await register(service, ORIGIN);
  return { service, issuer: service.services.config.BASE_URL, port };
}

const bearer = (token: string, method = 'GET') =>
  new Request(`${ORIGIN}/invoices`, { method, headers: { authorization: `Bearer ${token}` } });

describe('accessTokenFor', () => {
  it('gets one token for many calls, another for each account and sign-in, and renews it', async () => {
    const { service } = await start();
    await using _service = service;
    let calls = 0;
    const counted: typeof fetch = (input, init) => {
      if (String(input).includes('accessToken')) calls += 1;
      return fetch(input, init);
    };
    const gatehouse = createMainClient({ url: service.url, store: memoryStore(), fetch: counted });
    await gatehouse.signIn(OWNER);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => gatehouse.accessTokenFor(ORIGIN)));
    expect([new Set(tokens).size, calls]).toEqual([1, 1]);
    const inAccount = await gatehouse.withAccount(1).accessTokenFor(ORIGIN);
    expect(decodeJwt(inAccount)).toMatchObject({ sub: '3', account: 1, role: 1 });
    expect(await gatehouse.withAccount(1).accessTokenFor(ORIGIN)).toBe(inAccount);
    expect(calls).toBe(2);
    await gatehouse.signOut();
    expect(isGatehouseError(await thrown(gatehouse.accessTokenFor(ORIGIN)), 'unauthorized')).toBe(true);
    await gatehouse.signIn(OWNER);
    expect(await gatehouse.withAccount(1).accessTokenFor(ORIGIN)).not.toBe(inAccount);
  });
});

describe('createVerifier with an audience', () => {
  it('verifies access tokens without a call for each, and refuses all that are not for this API', async () => {
    const { service, issuer } = await start();
    await using _service = service;
    const other = 'https://other.product.test';
    await register(service, other);
    const { token: session } = await insertTestMember(service.database, { memberships: { 1: 3 } });
    const gatehouse = createMainClient({ url: service.url, store: memoryStore() });
    gatehouse.adoptToken(session);
    const asked: string[] = [];
    const verifier = createVerifier({
      url: service.url,
      issuer,
      audience: ORIGIN,
      fetch: (input, init) => {
        asked.push(String(input));
        return fetch(input, init);
      },
    });
    const token = await gatehouse.withAccount(1).accessTokenFor(ORIGIN);
    for (let round = 0; round < 3; round += 1)
      expect(await verifier.verify(bearer(token))).toMatchObject({ account: { id: 1 }, role: 3, level: 1 });
    expect(asked).toEqual([]);
    expect(await verifier.require('member.list')(bearer(token))).toMatchObject({ subscription: null });
    const denied = await thrown(verifier.require('billing.manage')(bearer(token)));
    expect(isAccessRefused(denied) && denied.status).toBe(403);

    expect(await verifier.verify(bearer(await gatehouse.accessTokenFor(other)))).toBeNull();
    const [header = '', claims = '', signature = ''] = token.split('.');
    const forged = { ...decodeJwt(token), permissions: ['billing.manage'] };
    const encoded = Buffer.from(JSON.stringify(forged)).toString('base64url');
    expect(await verifier.verify(bearer([header, encoded, signature].join('.')))).toBeNull();
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    expect(await verifier.verify(bearer(`${none}.${claims}.`))).toBeNull();
    const unknown = Buffer.from('{"alg":"ES256","typ":"at+jwt","kid":"none"}').toString('base64url');
    expect(await verifier.verify(bearer([unknown, claims, signature].join('.')))).toBeNull();
    expect(
      await createVerifier({ url: service.url, audience: ORIGIN, issuer: 'https://else.test' }).verify(
        bearer(token),
      ),
    ).toBeNull();
    // A session is still verified by a request.
    const sent = new Request(ORIGIN, { headers: { token: session, accountid: '1' } });
    expect(await verifier.verify(sent)).toMatchObject({ role: 3 });
    expect(asked).toHaveLength(1);

    // Each is for one account, whatever the request names.
    const inAccount = (headers: Record<string, string>) =>
      thrown(verifier.require('member.list')({ headers: { authorization: `Bearer ${token}`, ...headers } }));
    expect(await inAccount({ accountid: '1' })).toMatchObject({ account: { id: 1 } });
    expect(await inAccount({ accountid: '2' })).toMatchObject({ status: 403, code: 'account_forbidden' });
  });

  it('refuses a token that does not name its key while several are published', async () => {
    const pairs = await Promise.all([1, 2].map(() => generateKeyPair('ES256')));
    const keys = await Promise.all(
      pairs.map(async ({ publicKey }, at) => ({
        ...(await exportJWK(publicKey)),
        kid: `${at}`,
        alg: 'ES256',
      })),
    );
    const server = createServer((_, response) => response.end(JSON.stringify({ keys })));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const signed = (header: object) =>
      new SignJWT({ account: null, role: null, permissions: [], acr: '1' })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header })
        .setIssuer(url)
        .setAudience(ORIGIN)
        .setSubject('3')
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(pairs[0]?.privateKey ?? new Uint8Array());
    const { verify } = createVerifier({ url, audience: ORIGIN });
    expect(await verify(bearer(await signed({ kid: '0' })))).toMatchObject({ member: { id: 3 }, key: null });
    expect(await verify(bearer(await signed({})))).toBeNull();
    await new Promise((resolve) => server.close(resolve));
  });

  it('throws when it has no keys and cannot fetch them', async () => {
    const { service, issuer, port } = await start();
    await using _service = service;
    const { token: session } = await insertTestMember(service.database, { memberships: { 1: 3 } });
    const gatehouse = createMainClient({ url: service.url, store: memoryStore() });
    gatehouse.adoptToken(session);
    const token = await gatehouse.accessTokenFor(ORIGIN);
    const { verify } = createVerifier({ url: `http://127.0.0.1:${port}`, issuer, audience: ORIGIN });
    expect(isUnavailable(await thrown(verify(bearer(token))))).toBe(true);
  });
});
