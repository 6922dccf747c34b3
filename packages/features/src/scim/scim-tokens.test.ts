import { makeOpaqueToken } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertScimRequest } from '@gatehouse/db/queries/scim-tokens';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { changeColumn } from '../test/change-column.js';
import { startDirectoryWorld } from '../test/directory-world.js';
import { scimLogPruning } from './prune-log.js';
import { scimTokenNotices } from './token-notices.js';

const DAY_MS = 86_400_000;

const tokens = z.array(
  z.looseObject({ id: z.int(), lastFour: z.string(), revokedAt: z.string().nullable() }),
);
const requests = z.array(
  z.looseObject({ method: z.string(), path: z.string(), status: z.int(), error: z.string().nullable() }),
);

describe('a token of a directory', () => {
  it('is shown once, is identified by its end, and is accepted only at /scim/v2', async () => {
    await using world = await startDirectoryWorld();
    const { account1, token } = world;
    expect(token).toMatch(/^gths_[0-9A-Za-z]{39}$/);
    const [listed] = tokens.parse((await world.call('scim.listTokens', {}, account1.as)).data);
    expect(listed?.lastFour).toBe(token.slice(-4));
    expect(JSON.stringify(listed)).not.toContain(token.slice(5, 30));
    const config = await world.scim('GET', '/ServiceProviderConfig');
    expect([config.status, config.type]).toEqual([200, 'application/scim+json; charset=utf-8']);
    expect(config.body).toMatchObject({ patch: { supported: true }, etag: { supported: true } });
    for (const path of ['/auth/me', '/v1/member/list', '/', '/oauth/userinfo', '/v1/events']) {
      const response = await world.service.send(path, { bearer: token, accountId: account1.id });
      expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true]);
    }
  });

  it('is the only credential for /scim/v2, whose refusals have the form of SCIM', async () => {
    await using world = await startDirectoryWorld();
    const key = makeOpaqueToken('apiKey');
    const flipped = `${world.token.slice(0, -1)}${world.token.endsWith('0') ? '1' : '0'}`;
    for (const token of ['', key, makeOpaqueToken('scimToken'), flipped, world.account1.as.token, 'gths_']) {
      const { status, type, body, headers } = await world.scim('GET', '/Schemas', { token });
      expect([status, type]).toEqual([401, 'application/scim+json; charset=utf-8']);
      expect(body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '401',
      });
      expect(headers.get('www-authenticate')).toContain('Bearer');
    }
    const asMember = await world.service.send('/scim/v2/Schemas', world.account1.as);
    expect(asMember.status).toBe(401);
    expect((await world.scim('GET', '/Bulk')).body).toMatchObject({ status: '404' });
    expect((await world.scim('DELETE', '/Schemas')).body).toMatchObject({ status: '405' });
  });

  it('is refused when there are two, lasts at most 730 days, and needs an owner with a proven address', async () => {
    await using world = await startDirectoryWorld();
    const { as, owner } = world.account1;
    const long = await world.call('scim.addToken', { name: 'Okta', expiresInDays: 731 }, as);
    expect(long.code).toBe('invalid_input');
    const second = await world.addToken(as, { expiresInDays: 730 });
    expect((await world.call('scim.addToken', { name: 'Third' }, as)).code).toBe('limit_reached');
    await world.call('scim.removeToken', { tokenId: second.data.id }, as);
    expect((await world.scim('GET', '/Schemas', { token: second.token })).status).toBe(401);
    await changeColumn(
      world.db,
      { table: 'members', column: 'owner_proven_at_ms', by: 'id', id: owner.id },
      null,
    );
    expect((await world.call('scim.addToken', { name: 'Third' }, as)).code).toBe('unconfirmed');
    const other = await world.account();
    const foreign = { token: other.owner.token, accountId: other.id };
    const tokenId = second.data.id;
    expect((await world.call('scim.removeToken', { tokenId }, foreign)).code).toBe('not_found');
    expect((await world.call('scim.listTokens', {}, foreign)).data).toEqual([]);
  });

  it('is refused once it is revoked or expired or its account is closed, on every node', async () => {
    await using world = await startDirectoryWorld();
    const { as } = world.account1;
    const ask = async (token: string) =>
      (await world.scim('GET', '/Schemas', { token, on: world.other })).status;
    const short = await world.addToken(as, { expiresInDays: 1 });
    expect([await ask(world.token), await ask(short.token)]).toEqual([200, 200]);
    const [, first] = tokens.parse((await world.call('scim.listTokens', {}, as)).data);
    await world.call('scim.removeToken', { tokenId: first?.id }, as);
    expect([await ask(world.token), await ask(short.token)]).toEqual([401, 200]);
    const long = await world.addToken(as);
    world.wait(DAY_MS);
    expect([await ask(long.token), await ask(short.token)]).toEqual([200, 401]);
    await changeAccess(world.db, { accounts: [world.account1.id] }, (tx) =>
      changeColumn(tx, { table: 'accounts', column: 'is_deleted', by: 'id', id: world.account1.id }, 1),
    );
    expect(await ask(long.token)).toBe(401);
  });

  it('is announced by mail about 14 days before its end, once', async () => {
    await using world = await startDirectoryWorld();
    await world.addToken(world.account1.as, { expiresInDays: 20 });
    const told = async () => {
      await scimTokenNotices.run(world.service.services);
      return (await readOutbox(world.service)).filter(({ kind }) => kind === 'scimTokenExpiring').length;
    };
    world.wait(5 * DAY_MS);
    expect(await told()).toBe(0);
    world.wait(2 * DAY_MS);
    expect(await told()).toBe(1);
    expect(await told()).toBe(1);
  });

  it('may make at most 1,200 requests a minute', async () => {
    await using world = await startDirectoryWorld();
    const [listed] = tokens.parse((await world.call('scim.listTokens', {}, world.account1.as)).data);
    const count = (times: number) => {
      for (let at = 0; at < times; at += 1) world.service.services.keyUse.countDirectory(listed?.id ?? 0);
    };
    world.wait(60_000 - (Date.now() % 60_000));
    count(1_200);
    const refused = await world.scim('GET', '/Schemas');
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"scim";q=1200;w=60']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the discovery endpoints of SCIM', () => {
  it('say which attributes there are, of what kind', async () => {
    await using world = await startDirectoryWorld();
    const { body } = await world.scim('GET', '/Schemas');
    expect(body).toMatchObject({ totalResults: 2, itemsPerPage: 2, startIndex: 1 });
    const user = await world.scim('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User');
    expect(user.body).toMatchObject({ name: 'User' });
    expect((await world.scim('GET', '/Schemas/urn:none')).body).toMatchObject({ status: '404' });
    const types = await world.scim('GET', '/ResourceTypes');
    expect(types.body).toMatchObject({ Resources: [{ endpoint: '/Users' }, { endpoint: '/Groups' }] });
    expect((await world.scim('GET', '/ResourceTypes/Group')).status).toBe(200);
    expect((await world.scim('GET', '/Schemas?filter=id%20pr')).status).toBe(403);
  });

  it('appear in the log of the account, which says why a request was refused', async () => {
    await using world = await startDirectoryWorld();
    const { as } = world.account1;
    await world.scim('GET', '/ResourceTypes?x=secret');
    await world.scim('GET', '/ResourceTypes/Device');
    const log = requests.parse((await world.call('scim.log', {}, as)).data);
    expect(log).toMatchObject([
      {
        method: 'GET',
        path: '/scim/v2/ResourceTypes/Device',
        status: 404,
        error: 'There is no such resource',
      },
      { method: 'GET', path: '/scim/v2/ResourceTypes', status: 200, error: null },
    ]);
    const other = await world.account();
    const foreign = { token: other.owner.token, accountId: other.id };
    expect((await world.call('scim.log', {}, foreign)).data).toEqual([]);

    const asked = {
      accountId: world.account1.id,
      tokenId: 1,
      atMs: 1,
      method: 'GET',
      status: 200,
      error: null,
    };
    for (let at = 0; at < 210; at += 1) await insertScimRequest(world.db, { ...asked, path: `/${at}` });
    await insertScimRequest(world.db, { ...asked, accountId: other.id, path: '/' });
    await scimLogPruning.run(world.service.services);
    const { scimRequests } = world.db.tables;
    const rows = await world.db.select({ path: scimRequests.path }).from(scimRequests);
    const kept = rows.map(({ path }) => path);
    expect([kept.length, kept.includes('/9'), kept.includes('/10'), kept.includes('/')]).toEqual([
      201,
      false,
      true,
      true,
    ]);
  });
});
