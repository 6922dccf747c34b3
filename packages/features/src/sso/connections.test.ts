import { createDataCipher } from '@gatehouse/auth-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { changeColumn } from '../test/change-column.js';
import { type PeopleWorld, startPeopleWorld } from '../test/people-world.js';
import { insertTestSso } from '../test/test-sso.js';
import { openSecret, sealSecret, ssoResealing } from './connection-secrets.js';

const NEW = {
  name: 'Acme Okta',
  issuer: 'http://127.0.0.1:4999/acme',
  clientId: 'gatehouse',
  clientSecret: 'Lantern-Harbor-42',
};

const connection = z.looseObject({ id: z.int(), key: z.string() });

async function owning(world: PeopleWorld) {
  const { id: accountId, owner } = await world.account();
  const as = { token: owner.token, accountId };
  const save = (input: object) => world.call('sso.saveOidc', input, as);
  return { accountId, owner, as, save };
}

describe('an OpenID Connect connection', () => {
  it('has its own addresses, and never shows its secret again', async () => {
    await using world = await startPeopleWorld();
    const { save, as } = await owning(world);
    const made = await save({
      ...NEW,
      scopes: ['email'],
      roleMap: [{ claim: 'groups', value: 'it', roleType: 2 }],
    });
    const { id, key } = connection.parse(made.data);
    const main = 'http://127.0.0.1:4000';
    expect(made.data).toMatchObject({
      name: NEW.name,
      kind: 'oidc',
      active: false,
      hasChanges: false,
      tested: false,
      roleMap: [{ claim: 'groups', value: 'it', roleType: 2 }],
      defaultRole: 5,
      justInTime: false,
      sessionHours: 12,
      idpLevel: 1,
      oidc: {
        issuer: NEW.issuer,
        clientId: NEW.clientId,
        scopes: ['openid', 'email'],
        redirectUri: `${main}/sso/oidc/${key}/callback`,
        backchannelLogoutUri: `${main}/sso/oidc/${key}/backchannel`,
      },
      startUrl: `${main}/sso/${key}/start`,
    });
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    const listed = JSON.stringify(await world.call('sso.list', {}, as));
    expect(listed).toContain(NEW.issuer);
    expect(listed).not.toContain(NEW.clientSecret);
    const [row] = await world.db.select().from(world.db.tables.ssoConnections);
    expect(openSecret(world.service.services.cipher, key, row?.secret ?? '')).toBe(NEW.clientSecret);
    expect((await world.call('sso.activate', { connectionId: id }, as)).code).toBe('not_tested');
  });

  it('has known addresses before it exists, which stay the same until then', async () => {
    await using world = await startPeopleWorld();
    const { as, save } = await owning(world);
    const told = z.looseObject({
      next: z.object({ key: z.string(), redirectUri: z.string(), acsUrl: z.string() }).nullable(),
    });
    const next = async (of = as) => told.parse((await world.call('sso.list', {}, of)).data).next;
    const first = await next();
    expect(await next()).toEqual(first);
    const other = await owning(world);
    expect((await next(other.as))?.redirectUri).not.toBe(first?.redirectUri);
    const outdated = await save({ ...NEW, key: '0'.repeat(32) });
    expect(outdated.issues).toEqual([
      { path: 'key', message: 'This field is no longer that of the next connection' },
    ]);
    const { id, key } = connection.parse((await save({ ...NEW, key: first?.key })).data);
    expect(first?.redirectUri).toBe(`${world.service.services.config.BASE_URL}/sso/oidc/${key}/callback`);
    const second = await next();
    expect(second?.acsUrl).toMatch(/\/sso\/saml\/[0-9a-f]{32}\/acs$/);
    expect(second?.redirectUri).not.toBe(first?.redirectUri);
    for (let more = 1; more < 5; more += 1) await save(NEW);
    expect(await next()).toBeNull();
    await world.call('sso.remove', { connectionId: id }, as);
    expect(await next()).toEqual(first);
  });

  it('is added once by a double click, and twice by two calls without a key', async () => {
    await using world = await startPeopleWorld();
    const { as, save } = await owning(world);
    const { key } = z
      .object({ next: z.object({ key: z.string() }) })
      .parse((await world.call('sso.list', {}, as)).data).next;
    const clicks = await Promise.all([save({ ...NEW, key }), save({ ...NEW, key })]);
    expect(clicks.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const others = await Promise.all([save(NEW), save(NEW), save(NEW)]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    const rows = await world.db.select().from(world.db.tables.ssoConnections);
    expect(new Set(rows.map((row) => row.key)).size).toBe(4);
  });

  it('sends a stored secret to no other issuer', async () => {
    await using world = await startPeopleWorld();
    const { save } = await owning(world);
    const { id: connectionId } = connection.parse((await save(NEW)).data);
    const moved = await save({ connectionId, issuer: 'http://127.0.0.1:4998' });
    expect(moved.issues.map(({ path }) => path)).toEqual(['clientSecret']);
    expect((await save({ connectionId, clientId: 'other' })).status).toBe(200);
    const anew = { connectionId, issuer: 'http://127.0.0.1:4998', clientSecret: 'Anchor-Meadow-17' };
    expect((await save(anew)).status).toBe(200);
  });

  it('must have an issuer that may be called, and roles below that of an account manager', async () => {
    await using world = await startPeopleWorld();
    const { save } = await owning(world);
    const issuers = [
      'http://10.0.0.1:4000',
      'http://127.0.0.1:80',
      'https://a:b@idp.example',
      'ftp://idp.example',
    ];
    for (const issuer of [...issuers, 'http://127.0.0.1:4999/?a=1', 'http://127.0.0.1:4999/#a'])
      expect([issuer, (await save({ ...NEW, issuer })).code]).toEqual([issuer, 'url_not_allowed']);
    for (const role of [0, 1, 6, 7, 11]) {
      const rule = { claim: 'groups', value: 'a', roleType: role };
      const refused = await save({ ...NEW, defaultRole: role, roleMap: [rule] });
      expect(refused.issues.map(({ path }) => path)).toEqual(['roleMap.0.roleType', 'defaultRole']);
    }
  });

  it('is refused when the account has five, and belongs only to the account that created it', async () => {
    await using world = await startPeopleWorld();
    const { save } = await owning(world);
    const { id: connectionId } = connection.parse((await save(NEW)).data);
    for (let count = 1; count < 5; count += 1) expect((await save(NEW)).status).toBe(200);
    expect((await save(NEW)).code).toBe('limit_reached');
    const other = await owning(world);
    expect((await other.save({ ...NEW, connectionId })).code).toBe('not_found');
    expect((await world.call('sso.remove', { connectionId }, other.as)).code).toBe('not_found');
    expect((await world.call('sso.activate', { connectionId }, other.as)).code).toBe('not_found');
  });

  it('keeps its current sign-in settings until new ones have passed a test', async () => {
    await using world = await startPeopleWorld();
    const { save, as, accountId, owner } = await owning(world);
    const { id: connectionId } = await insertTestSso(world.db, { accountId, createdById: owner.id });
    const changed = await save({ connectionId, clientId: 'other', clientSecret: 'Anchor-Meadow-17' });
    expect(changed.data).toMatchObject({ active: true, hasChanges: true, tested: false });
    const [row] = await world.db.select().from(world.db.tables.ssoConnections);
    expect(row?.live).toMatchObject({ clientId: 'gatehouse' });
    expect((await world.call('sso.activate', { connectionId }, as)).code).toBe('not_tested');
    const off = await world.call('sso.activate', { connectionId, active: false }, as);
    expect(off.data).toMatchObject({ active: false });
    expect((await world.call('sso.remove', { connectionId }, as)).status).toBe(200);
    expect((await world.call('sso.list', {}, as)).data).toMatchObject({ connections: [] });
  });

  it('has its secrets encrypted again while the previous key is configured', async () => {
    const previous = Buffer.alloc(32, 9).toString('base64');
    await using world = await startPeopleWorld({ DATA_ENCRYPTION_KEY_PREVIOUS: previous });
    const { accountId, owner } = await owning(world);
    const { id, key } = await insertTestSso(world.db, { accountId, createdById: owner.id });
    const secret = sealSecret(createDataCipher({ key: previous }), key, NEW.clientSecret);
    await changeColumn(world.db, { table: 'sso_connections', column: 'live_secret', id }, secret);
    expect(await ssoResealing.run(world.service.services)).toBe(1);
    expect(await ssoResealing.run(world.service.services)).toBe(0);
    const [row] = await world.db.select().from(world.db.tables.ssoConnections);
    const { DATA_ENCRYPTION_KEY: current } = world.service.services.config;
    expect(openSecret(createDataCipher({ key: current }), key, row?.liveSecret ?? '')).toBe(NEW.clientSecret);
  });
});
