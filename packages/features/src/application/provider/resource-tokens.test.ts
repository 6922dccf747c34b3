import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { findApplicationById, setApplication } from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { insertTestMember, type RunningService } from '@gatehouse/testkit';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import * as oauth from 'openid-client';
import { describe, expect, it } from 'vitest';
import { callWith } from '../../test/access-token-world.js';
import { type OauthWorld, signInThrough, startOauthWorld } from '../../test/oauth-world.js';

const ORIGIN = 'https://api.product.test';
const OTHER = 'https://other.product.test';
const INACTIVE = { active: false };

/** Two APIs of the product that can ask about tokens, and an application that may call the first. */
async function start(more: object = {}) {
  const world = await startOauthWorld();
  const { admin, root } = world;
  const register = async (origin: string, more: object = {}) => {
    const machine = await callWith(admin, '/v1/machine/save', root.token, { name: 'Invoices' });
    const fields = { name: 'K', machineId: machine.data.id, scopes: [] };
    const made = await callWith(admin, '/v1/key/create', root.token, fields);
    const resource = { origin, name: 'Invoices', machineId: machine.data.id, ...more };
    const saved = await callWith(admin, '/v1/resource/save', root.token, resource);
    return { key: made.key ?? '', id: saved.data.id };
  };
  const api = await register(ORIGIN, more);
  const other = await register(OTHER);
  const helper = await world.application({
    name: 'Helper',
    scopes: ['openid', 'read', 'manage', 'member.list'],
    resources: [ORIGIN],
  });
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  return { ...world, api, otherApi: other, helper, member };
}

const asking = { resource: ORIGIN, scope: 'read manage' };

const signIn = (world: Awaited<ReturnType<typeof start>>, more: Record<string, string> = {}) =>
  signInThrough(world, world.helper, world.member, {
    parameters: { ...asking, ...more },
    account: 1,
    scopes: ['read'],
  });

async function introspect(on: RunningService, key: string, token: string) {
  const body = new URLSearchParams({ token }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await on.send('/oauth/introspect', { bearer: key, body, headers });
  return (await response.json()) as Record<string, unknown>;
}

function setAgents(db: OauthWorld['db'], allowsAgents: boolean) {
  const policy = { requiredLevel: 1, requiredFromMs: null, requiredUntilThen: 1, allowsAgents };
  return changeAccess(db, { accounts: [1] }, (tx) =>
    setAccountPolicy(tx, { accountId: 1, nowMs: Date.now(), ...policy }),
  );
}

const send = (world: OauthWorld, path: string, body: object, token: string) =>
  world.main.send(path, { token, body });

describe('a token that an application gets for an API of the product', () => {
  it('can be introspected only by that API, with what the member may do there now', async () => {
    await using world = await start();
    const { main, other: node, api, otherApi, helper, member, db } = world;
    const { tokens, client } = await signIn(world);
    expect(tokens.scope).toBe('read');
    const told = await introspect(main, api.key, tokens.access_token);
    expect(told).toEqual({
      active: true,
      token_type: 'Bearer',
      iss: world.baseUrl,
      aud: ORIGIN,
      sub: String(member.id),
      client_id: helper.clientId,
      exp: expect.any(Number),
      account: 1,
      role: 1,
      permissions: expect.arrayContaining(['member.list']),
      scope: 'read',
      acr: '1',
    });
    expect(told['permissions']).not.toContain('member.manage');
    expect(await introspect(node, api.key, tokens.access_token)).toEqual(told);
    expect(await introspect(main, otherApi.key, tokens.access_token)).toEqual(INACTIVE);
    const own = await oauth.tokenIntrospection(client.config, tokens.access_token);
    expect(own).toMatchObject({ active: true, aud: ORIGIN, scope: 'read' });
    await changeAccess(db, { members: [member.id], accounts: [1] }, (tx) =>
      setMembership(tx, { memberId: member.id, accountId: 1, roleType: 5, nowMs: Date.now() }),
    );
    const less = await introspect(node, api.key, tokens.access_token);
    expect(less).toMatchObject({ active: true, role: 5 });
    expect(less['permissions']).not.toContain('member.list');
  });

  it('is refused here, and tokens for this service are inactive there', async () => {
    await using world = await start();
    const { main, api } = world;
    const there = await signIn(world);
    const { access_token: bearer } = there.tokens;
    expect((await main.send('/v1/member/list', { bearer, body: {} })).status).toBe(401);
    expect((await main.send('/oauth/userinfo', { bearer })).status).not.toBe(200);
    const here = await signIn(world, { resource: world.baseUrl });
    expect(await introspect(main, api.key, here.tokens.access_token)).toEqual(INACTIVE);
    const refreshed = await oauth.refreshTokenGrant(there.client.config, there.tokens.refresh_token ?? '');
    expect(await introspect(main, api.key, refreshed.access_token)).toMatchObject({ aud: ORIGIN });
  });

  it('is shown as used in the list of its member when the API asks about it', async () => {
    await using world = await start();
    const { main, api, otherApi, member } = world;
    const { tokens } = await signIn(world);
    const lastUses = async () => {
      await main.services.keyUse.flush();
      const list = await send(world, '/v1/consent/applications', {}, member.token);
      const { data } = (await list.json()) as { data: { lastUsedAt: string | null }[] };
      return data.map(({ lastUsedAt }) => lastUsedAt);
    };
    await introspect(main, otherApi.key, tokens.access_token);
    expect(await lastUses()).toEqual([null]);
    await introspect(main, api.key, tokens.access_token);
    expect(await lastUses()).toEqual([expect.stringContaining('T')]);
  });

  it('requires its own consent: what the member allowed for one API does not apply to another', async () => {
    await using world = await start();
    await signIn(world);
    const client = await world.client(world.helper);
    const visit = async (parameters: Record<string, string>) => {
      const { url } = await client.begin(parameters);
      return world.browser(world.member).visit(url);
    };
    const known = await visit({ ...asking, scope: 'read' });
    expect(known.url).toContain('https://wiki.example.com/callback?code=');
    const { page } = await visit({ resource: world.baseUrl, scope: 'read' });
    expect(page).toContain('In that organization, the app may:');
    const shown = await visit({ ...asking, prompt: 'consent' });
    expect(shown.page).toContain(`At Invoices (${ORIGIN}), in that organization, the app may:`);
  });

  it('causes an event with the scopes of its own consent, even when a node with a fast clock stored another', async () => {
    await using world = await start();
    const { db, helper, member } = world;
    await signIn(world);
    const { consents, events } = db.tables;
    await db.write(db.update(consents).set({ updatedAtMs: Date.now() + 60_000 }));
    await signInThrough(world, helper, member, {
      parameters: { resource: world.baseUrl, scope: 'read manage' },
      account: 1,
      scopes: ['read', 'manage'],
    });
    const told = (await db.select().from(events)).filter(({ type }) => type === 'consent.given');
    expect(told.map(({ data }) => data)).toMatchObject([
      { scopes: ['read'], resource: ORIGIN },
      { scopes: ['read', 'manage'] },
    ]);
    const list = await send(world, '/v1/consent/applications', {}, member.token);
    const { data } = (await list.json()) as { data: { id: number; api: unknown }[] };
    expect(data.map(({ api }) => api)).toEqual([{ name: 'Invoices', origin: ORIGIN }, null]);
    await send(world, '/v1/consent/withdraw', { consentId: data[0]?.id }, member.token);
    const [withdrawn] = (await db.select().from(events)).filter(({ type }) => type === 'consent.withdrawn');
    const to = `application:${helper.id}`;
    expect(withdrawn?.data).toEqual({ memberId: member.id, to, resource: ORIGIN, scopes: ['read'] });
  });

  it('is refused for an API that the application may not call, and for several at once', async () => {
    await using world = await start();
    const client = await world.client(world.helper);
    const errorOf = async (...resources: string[]) => {
      const { url } = await client.begin({ scope: 'read' });
      const to = new URL(url);
      for (const resource of resources) to.searchParams.append('resource', resource);
      const there = await world.browser(world.member).visit(to.href);
      return new URL(there.url).searchParams.get('error');
    };
    expect(await errorOf(OTHER)).toBe('invalid_target');
    expect(await errorOf('https://unknown.product.test')).toBe('invalid_target');
    expect(await errorOf(ORIGIN, world.baseUrl)).toBe('invalid_target');
  });

  it.each<[string, (world: Awaited<ReturnType<typeof start>>) => Promise<unknown>]>([
    ['the member signs out', (world) => send(world, '/auth/logout', {}, world.member.token)],
    [
      'the member withdraws',
      async (world) => {
        const list = await send(world, '/v1/consent/applications', {}, world.member.token);
        const { data } = (await list.json()) as { data: { id: number }[] };
        return send(world, '/v1/consent/withdraw', { consentId: data[0]?.id }, world.member.token);
      },
    ],
    [
      'the application may call the API no longer',
      ({ db, helper }) =>
        changeAccess(db, {}, async (tx) => {
          const row = await findApplicationById(tx, helper.id);
          if (row) await setApplication(tx, { ...row, resources: [], nowMs: Date.now() });
        }),
    ],
    ['the account forbids agents', ({ db }) => setAgents(db, false)],
    [
      'staff remove the API',
      ({ admin, root, api }) => callWith(admin, '/v1/resource/remove', root.token, { resourceId: api.id }),
    ],
  ])('is inactive on the next request on every node after %s', async (_, end) => {
    await using world = await start();
    const { main, other, api } = world;
    const { tokens } = await signIn(world);
    for (const node of [main, other])
      expect(await introspect(node, api.key, tokens.access_token)).toMatchObject({ active: true });
    const ended = await end(world);
    if (ended instanceof Response) expect(ended.status).toBe(200);
    for (const node of [other, main])
      expect(await introspect(node, api.key, tokens.access_token)).toEqual(INACTIVE);
  });
});

describe('a token that an application gets for an API that verifies tokens by itself', () => {
  const SIGNED = { applicationTokens: 'jwt', ttlSeconds: 60 };

  async function verify(world: OauthWorld, token: string) {
    const keys = (await (await world.main.send('/oauth/jwks')).json()) as JSONWebKeySet;
    return jwtVerify(token, createLocalJWKSet(keys), {
      typ: 'at+jwt',
      issuer: world.baseUrl,
      audience: ORIGIN,
      algorithms: ['ES256'],
    });
  }

  it('is a JWT that a third-party library verifies, and lives as long as staff chose for the API', async () => {
    await using world = await start(SIGNED);
    const { helper, member } = world;
    const { tokens } = await signIn(world);
    const { payload } = await verify(world, tokens.access_token);
    expect(payload).toEqual({
      iss: world.baseUrl,
      aud: ORIGIN,
      sub: String(member.id),
      client_id: helper.clientId,
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
      account: 1,
      role: 1,
      permissions: expect.arrayContaining(['member.list']),
      scope: 'read',
      acr: '1',
    });
    expect(payload['permissions']).not.toContain('member.manage');
    expect(tokens.expires_in).toBe(60);
    const { iat = 0, exp = 0 } = payload;
    expect(exp - iat).toBeGreaterThan(55);
    expect(exp - iat).toBeLessThanOrEqual(60);
  });

  it('is refused here, and its API may still introspect it, on every node', async () => {
    await using world = await start(SIGNED);
    const { main, other, api, otherApi } = world;
    const { access_token: bearer } = (await signIn(world)).tokens;
    expect((await main.send('/v1/member/list', { bearer, body: {} })).status).toBe(401);
    expect((await main.send('/oauth/userinfo', { bearer })).status).not.toBe(200);
    const told = await introspect(main, api.key, bearer);
    expect(told).toMatchObject({ active: true, account: 1, scope: 'read', aud: ORIGIN });
    expect(await introspect(other, api.key, bearer)).toEqual(told);
    expect(await introspect(main, otherApi.key, bearer)).toEqual(INACTIVE);
    await send(world, '/auth/logout', {}, world.member.token);
    for (const node of [other, main]) expect(await introspect(node, api.key, bearer)).toEqual(INACTIVE);
  });

  it('is renewed with what the member may do then, and none is signed while the account forbids agents', async () => {
    await using world = await start(SIGNED);
    const { api, db, member, other } = world;
    const { client, tokens } = await signIn(world);
    let { refresh_token: held = '' } = tokens;
    const refresh = async () => {
      const renewed = await oauth.refreshTokenGrant(client.config, held);
      held = renewed.refresh_token ?? '';
      return renewed.access_token;
    };
    await changeAccess(db, { members: [member.id], accounts: [1] }, (tx) =>
      setMembership(tx, { memberId: member.id, accountId: 1, roleType: 5, nowMs: Date.now() }),
    );
    const { payload } = await verify(world, await refresh());
    expect(payload).toMatchObject({ role: 5, account: 1 });
    expect(payload['permissions']).not.toContain('member.list');
    await setAgents(db, false);
    const refused = await refresh();
    await expect(verify(world, refused)).rejects.toThrow('Invalid Compact JWS');
    expect(await introspect(other, api.key, refused)).toEqual(INACTIVE);
    await setAgents(db, true);
    expect((await verify(world, await refresh())).payload).toMatchObject({ account: 1 });
  });
});
