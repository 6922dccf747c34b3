import { createDataCipher } from '@gatehouse/auth-core';
import { insertTestMember, type RunningService } from '@gatehouse/testkit';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSigningKeys, signingKeyResealing } from '../../core/access/signing-keys.js';
import { callWith as call, startAccessTokenWorld } from '../../test/access-token-world.js';

const ORIGIN = 'https://api.product.test';

async function keysOf(on: RunningService) {
  const response = await on.send('/oauth/jwks');
  expect(response.headers.get('content-type')).toContain('application/jwk-set+json');
  return (await response.json()) as JSONWebKeySet;
}

describe('an access token for an API of the product', () => {
  it('says who calls and what they may do, can be verified with the keys of any node, and is refused here', async () => {
    await using world = await startAccessTokenWorld();
    const { main, other, admin, root, db } = world;
    const saved = await call(admin, '/v1/resource/save', root.token, {
      origin: ORIGIN,
      name: 'Invoices',
      ttlSeconds: 60,
    });
    expect(saved.status).toBe(200);
    const member = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 3 } });
    const issue = (on: RunningService, audience: string, accountId?: number) =>
      call(on, '/v1/session/accessToken', member.token, { audience }, accountId);

    const { data } = await issue(main, `${ORIGIN}/`, 1);
    const token = data.accessToken ?? '';
    expect(data.expiresIn).toBe(60);
    const keys = createLocalJWKSet(await keysOf(other));
    const { payload } = await jwtVerify(token, keys, {
      issuer: main.services.config.BASE_URL,
      audience: ORIGIN,
      typ: 'at+jwt',
      algorithms: ['ES256'],
    });
    expect(payload).toMatchObject({
      sub: String(member.id),
      account: 1,
      role: 3,
      permissions: expect.arrayContaining(['member.list']),
      acr: '1',
      client_id: 'gatehouse',
      jti: expect.any(String),
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });

    // Both nodes sign with keys that both publish.
    const second = await issue(other, ORIGIN);
    const bySecond = await jwtVerify(second.data.accessToken ?? '', createLocalJWKSet(await keysOf(main)));
    expect(bySecond.payload).toMatchObject({ account: null, role: null, permissions: [] });

    for (const path of ['/auth/me', '/v1/session/list']) {
      expect((await main.send(path, { bearer: token })).status).toBe(401);
      expect((await main.send(path, { token })).status).toBe(401);
    }
    expect((await main.send('/', { bearer: token })).status).toBe(403);
    expect((await issue(main, ORIGIN, 3)).code).toBe('account_forbidden');
    expect((await issue(main, 'https://other.test', 1)).code).toBe('not_found');
    expect((await issue(main, 'javascript:alert(1)', 1)).code).toBe('invalid_input');
    await main.send('/auth/logout', { token: member.token, method: 'POST' });
    expect((await issue(other, ORIGIN, 1)).status).toBe(401);
  });

  it('is only for origins that root staff registered, and expires no later than the session', async () => {
    await using world = await startAccessTokenWorld();
    const { main, admin, root, db } = world;
    const resource = { origin: ORIGIN, name: 'Invoices', ttlSeconds: 300 };
    const manager = await insertTestMember(db, { isPersonnel: true, roleType: 6 });
    expect((await call(admin, '/v1/resource/save', manager.token, resource)).code).toBe('permission_denied');
    const { data } = await call(admin, '/v1/resource/save', root.token, resource);
    expect((await call(admin, '/v1/resource/save', root.token, resource)).code).toBe('resource_taken');
    for (const ttlSeconds of [59, 301])
      expect((await call(admin, '/v1/resource/save', root.token, { ...resource, ttlSeconds })).code).toBe(
        'invalid_input',
      );
    const short = await insertTestMember(db, { isConfirmed: true, ttlSeconds: 100 });
    const issue = () => call(main, '/v1/session/accessToken', short.token, { audience: ORIGIN });
    expect((await issue()).data.expiresIn).toBeLessThanOrEqual(100);

    const remove = () => call(admin, '/v1/resource/remove', root.token, { resourceId: data.id });
    expect((await remove()).status).toBe(200);
    expect((await remove()).code).toBe('not_found');
    expect((await issue()).code).toBe('not_found');
    const lines = (await db.select().from(db.tables.auditLog)).map(({ action }) => action);
    expect(lines.filter((action) => action.startsWith('resource.'))).toEqual([
      'resource.added',
      'resource.removed',
    ]);
  });

  it('stores no private key in plain text', async () => {
    await using world = await startAccessTokenWorld();
    expect((await keysOf(world.main)).keys.map(({ kty }) => kty)).toEqual(['EC', 'RSA']);
    const rows = await world.db.select().from(world.db.tables.signingKeys);
    for (const { privateKey } of rows) expect(privateKey).toMatch(/^v1\./);
    const row = rows.find(({ algorithm }) => algorithm === 'ES256');
    expect(Object.keys(row?.publicKey ?? {}).toSorted()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ]);
    expect(JSON.stringify(await keysOf(world.main))).not.toContain('"d"');
  });

  it('can still be verified with the published keys after a rotation of the data key', async () => {
    await using world = await startAccessTokenWorld();
    await keysOf(world.main);
    const { services, database } = world.main;
    const key = Buffer.alloc(32, 7).toString('base64');
    const previous = [services.config.DATA_ENCRYPTION_KEY];
    const cipher = createDataCipher({ key, previous });
    const config = { ...services.config, DATA_ENCRYPTION_KEY_PREVIOUS: previous };
    expect(await signingKeyResealing.run({ ...services, cipher, config })).toBe(2);
    expect(await signingKeyResealing.run({ ...services, cipher, config })).toBe(0);
    // The previous key may go now.
    const onlyNew = createDataCipher({ key, previous: [] });
    const signer = await createSigningKeys({ db: database, cipher: onlyNew, now: Date.now }).signer();
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: signer.kid })
      .sign(signer.key);
    await jwtVerify(token, createLocalJWKSet(await keysOf(world.other)));
  });
});
