import { setTimeout } from 'node:timers/promises';
import { makeOpaqueToken } from '@gatehouse/auth-core';
import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { findApplicationById, setApplication } from '@gatehouse/db/queries/applications';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { lockAccountRows } from '@gatehouse/db/queries/lock-rows';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { settleHeldMembership } from '@gatehouse/db/queries/take-member-over';
import { insertTestMember, type TestMember } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { describe, expect, it } from 'vitest';
import { callWithBearer as call } from '../../test/call-with-bearer.js';
import { changeColumn } from '../../test/change-column.js';
import {
  type OauthWorld,
  signInThrough,
  startOauthWorld,
  type TestApplication,
} from '../../test/oauth-world.js';

const SCOPES = ['openid', 'email', 'offline_access', 'read', 'manage', 'member.list', 'account.manage'];

/** An agent that a member let act in account 1. */
async function connected(
  world: OauthWorld,
  {
    scopes = ['read'],
    lasting = false,
    as = { memberships: { 1: 1, 2: 1 } },
  }: { scopes?: readonly string[]; lasting?: boolean; as?: Parameters<typeof insertTestMember>[1] } = {},
) {
  const agent = await world.application({ name: 'Helper', scopes: SCOPES });
  const member = await insertTestMember(world.db, { isConfirmed: true, ...as });
  const scope = [...scopes, ...(lasting ? ['offline_access'] : [])].join(' ');
  const parameters = { resource: world.baseUrl, scope, ...(lasting ? { prompt: 'consent' } : {}) };
  const { client, tokens } = await signInThrough(world, agent, member, { parameters, account: 1, scopes });
  return { agent, member, client, token: tokens.access_token, tokens };
}

const MEMBERS = '/v1/member/list';

describe('an agent with an access token of an application', () => {
  it('acts in the one account that the member chose, and within what they agreed to', async () => {
    await using world = await startOauthWorld();
    const { main, other } = world;
    const { token } = await connected(world);
    const codes = async (path: string, more: Parameters<typeof call>[3] = {}) =>
      (await call(other, token, path, more)).code;
    expect(await codes(MEMBERS)).toBe('ok');
    expect(await codes(MEMBERS, { account: 1 })).toBe('ok');
    expect(await codes(MEMBERS, { account: 2 })).toBe('account_forbidden');
    const renamed = await call(main, token, '/v1/account/rename', { body: { name: 'Elsewhere' } });
    expect([renamed.code, renamed.challenge]).toEqual([
      'insufficient_scope',
      expect.stringContaining('error="insufficient_scope"'),
    ]);
    // What people do in person, procedures of staff, and those without a permission are closed to programs.
    for (const path of [
      '/v1/session/list',
      '/v1/consent/applications',
      '/v1/app/list',
      '/v1/account/listMine',
    ])
      expect([path, await codes(path)]).toEqual([path, 'permission_denied']);
    const unknown = await call(main, makeOpaqueToken('accessToken'), MEMBERS);
    expect([unknown.code, unknown.challenge]).toEqual(['401', expect.stringContaining('resource_metadata=')]);
  });

  it('is named in the audit log and in events, beside the member whom it acted for', async () => {
    await using world = await startOauthWorld();
    const { main } = world;
    const { token, member, agent } = await connected(world, { scopes: ['account.manage', 'read'] });
    expect((await call(main, token, '/v1/account/rename', { body: { name: 'Elsewhere' } })).code).toBe('ok');
    const listed = await call(main, token, '/v1/audit/listOwn?action=account.renamed');
    const [line] = listed.body.data as { actorId: number; application: unknown }[];
    expect(line).toMatchObject({ actorId: member.id, application: { id: agent.id, name: 'Helper' } });
    const { events } = world.db.tables;
    const rows = await world.db.select().from(events);
    expect(rows.findLast(({ type }) => type === 'account.updated')).toMatchObject({
      actorKind: 'agent',
      actorId: member.id,
    });
  });

  it('never has more than the current role of its member permits, and nothing of staff', async () => {
    await using world = await startOauthWorld();
    const scopes = ['read', 'manage', 'account.manage'];
    const few = await connected(world, { scopes, as: { memberships: { 1: 5 } } });
    const rename = (token: string) =>
      call(world.other, token, '/v1/account/rename', { body: { name: 'Elsewhere' } });
    expect((await rename(few.token)).code).toBe('insufficient_scope');
    const staff = await connected(world, {
      scopes,
      as: { memberships: { 1: 5 }, isPersonnel: true, roleType: 0, grants: [2] },
    });
    expect((await rename(staff.token)).code).toBe('insufficient_scope');
    expect((await call(world.admin, staff.token, '/v1/account/list')).code).not.toBe('ok');
    expect((await call(world.main, staff.token, MEMBERS, { account: 2 })).code).toBe('account_forbidden');
  });

  it('stops where the account requires its identity provider, unless its member is exempt', async () => {
    await using world = await startOauthWorld();
    const { db, main, other } = world;
    const { token, member } = await connected(world);
    const require = (exemptIds: readonly number[]) =>
      changeAccess(db, { accounts: [1] }, (tx) =>
        tx.write(tx.update(tx.tables.accounts).set({ sso: { required: true, exemptIds, connections: [] } })),
      );
    expect((await call(main, token, MEMBERS)).code).toBe('ok');
    await require([]);
    for (const node of [main, other]) expect((await call(node, token, MEMBERS)).code).toBe('401');
    await require([member.id]);
    for (const node of [main, other]) expect((await call(node, token, MEMBERS)).code).toBe('ok');
  });

  it('cannot use a token that is not for this API', async () => {
    await using world = await startOauthWorld();
    const agent = await world.application({ scopes: [...SCOPES, 'account'] });
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
    const parameters = { scope: 'openid email account' };
    const { tokens } = await signInThrough(world, agent, member, { parameters, account: 1 });
    expect((await call(world.main, tokens.access_token, MEMBERS)).code).toBe('401');
    // Its refresh token and its code are not access tokens either.
    const { tokens: lasting } = await connected(world, { lasting: true });
    expect((await call(world.main, lasting.refresh_token ?? '', MEMBERS)).code).toBe('401');
  });

  it('may make 120 calls a minute, however often its token is renewed', { timeout: 60_000 }, async () => {
    // Calls are counted by the minute of the clock, and a real one would turn while they are made.
    const nowMs = Date.now();
    await using world = await startOauthWorld(() => nowMs);
    const { token, client, tokens } = await connected(world, { lasting: true });
    const answers = await Promise.all(Array.from({ length: 120 }, () => call(world.main, token, MEMBERS)));
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['ok']));
    const renewed = await oauth.refreshTokenGrant(client.config, tokens.refresh_token ?? '');
    expect((await call(world.main, renewed.access_token, MEMBERS)).code).toBe('rate_limited');
  });

  it('shows its last use to its member, among the connected apps', async () => {
    await using world = await startOauthWorld();
    const { token, member } = await connected(world);
    const lastUses = async () => {
      const response = await world.main.send('/v1/consent/applications', { token: member.token });
      const { data } = (await response.json()) as { data: { lastUsedAt: string | null }[] };
      return data.map(({ lastUsedAt }) => lastUsedAt);
    };
    expect(await lastUses()).toEqual([null]);
    await call(world.main, token, MEMBERS);
    await world.main.services.keyUse.flush();
    expect(await lastUses()).toEqual([expect.stringContaining('T')]);
  });

  it('changes nothing with a token that expires while the change waits in the queue', async () => {
    let later = 0;
    await using world = await startOauthWorld(() => Date.now() + later);
    const { main, db } = world;
    const { token } = await connected(world, { scopes: ['manage'], as: { memberships: { 1: 1 } } });
    const rename = () => call(main, token, '/v1/account/rename', { body: { name: 'Elsewhere' } });
    expect((await rename()).code).toBe('ok');
    const waiting = await changeAccess(db, {}, async (tx) => {
      await lockAccountRows(tx, [1], 'exclusive');
      const sent = rename();
      await setTimeout(500);
      later = 16 * 60_000;
      return { sent };
    });
    expect((await waiting.sent).code).toBe('401');
  });

  it('does not wait in the queue of anonymous calls once its token has been accepted', async () => {
    await using world = await startOauthWorld();
    const { token } = await connected(world);
    const { tokens } = world.main.services;
    expect(tokens.remembers('bearer', token)).toBe(false);
    await call(world.main, token, MEMBERS);
    expect(tokens.remembers('bearer', token)).toBe(true);
  });

  it('does not learn that the password of its member is a common one', async () => {
    await using world = await startOauthWorld();
    const { token, member } = await connected(world);
    const { db } = world;
    await changeAccess(db, { members: [member.id] }, (tx) =>
      tx.write(tx.update(db.tables.members).set({ passwordListedAtMs: Date.now() })),
    );
    const prompts = async (headers: Record<string, string>) =>
      (await (await world.main.send('/v1/session/me', { headers })).json()) as { prompts: string[] };
    expect(await prompts({ token: member.token })).toMatchObject({ prompts: ['changePassword'] });
    expect(await prompts({ authorization: `Bearer ${token}` })).toMatchObject({ prompts: [] });
  });

  it("learns its member's names, role in its account and, if the member agreed, address", async () => {
    await using world = await startOauthWorld();
    const { main, other, baseUrl } = world;
    const as = { memberships: { 1: 1, 2: 1 }, isPersonnel: true, roleType: 0 };
    const { token, member, agent } = await connected(world, { as });
    interface Me {
      member: Record<string, unknown>;
      memberships: object[];
      currentAccount: { permissions: string[] };
    }
    const me = async (headers: Record<string, string>) =>
      (await (await other.send('/v1/session/me', { headers })).json()) as Me;
    const own = await me({ token: member.token });
    const seen = await me({ authorization: `Bearer ${token}` });
    const { id, username, firstName, lastName, createdAt, locale } = own.member;
    const nothing = { sid: '', pendingEmail: null, awaits: [], hasPassword: false };
    const places = { role_type: 1, role: expect.any(String) as string };
    const names = { id, username, firstName, lastName, createdAt, locale };
    expect(seen.member).toEqual({ ...names, ...nothing, ...places, email: null, emailVerified: false });
    expect(own.member).toMatchObject({ role_type: 0, hasPassword: true, email: member.email });
    expect(seen.memberships).toHaveLength(1);
    expect(seen).toMatchObject({
      isPersonnel: false,
      staffPermissions: [],
      allAccounts: false,
      currentAccount: { accountId: 1, role: 1 },
    });
    expect(seen.currentAccount.permissions).toContain('member.list');
    expect(seen.currentAccount.permissions).not.toContain('member.manage');

    const parameters = { resource: baseUrl, scope: 'email read', prompt: 'consent' };
    const scopes = ['email', 'read'];
    const { tokens } = await signInThrough(world, agent, member, { parameters, account: 1, scopes });
    const told = await me({ authorization: `Bearer ${tokens.access_token}` });
    expect(told.member).toMatchObject({ email: member.email, emailVerified: true, hasPassword: false });
    expect((await call(main, tokens.access_token, MEMBERS)).code).toBe('ok');
  });

  it('is unauthenticated with a token for this API if its member agreed to no permission', async () => {
    await using world = await startOauthWorld();
    const agent = await world.application({ scopes: [...SCOPES, 'account'] });
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
    const parameters = { resource: world.baseUrl, scope: 'account' };
    const { tokens, client } = await signInThrough(world, agent, member, { parameters, account: 1 });
    const told = await oauth.tokenIntrospection(client.config, tokens.access_token);
    expect(told).toMatchObject({ active: true, aud: world.baseUrl });
    expect((await call(world.main, tokens.access_token, '/v1/session/me')).code).toBe('401');
  });

  it('loses what its member no longer allows on every node, even with a lasting grant', async () => {
    await using world = await startOauthWorld();
    const { main, other, baseUrl } = world;
    const { agent, member, token } = await connected(world, { scopes: ['read', 'manage'], lasting: true });
    const reads = async (on: OauthWorld['main']) => (await call(on, token, MEMBERS)).code;
    expect([await reads(main), await reads(other)]).toEqual(['ok', 'ok']);
    const parameters = { resource: baseUrl, scope: 'read manage offline_access', prompt: 'consent' };
    await signInThrough(world, agent, member, { parameters, account: 1, scopes: ['manage'] });
    expect([await reads(other), await reads(main)]).toEqual(['insufficient_scope', 'insufficient_scope']);
  });
});

describe('the access of an agent to an account', () => {
  type Leaving = (tx: AccessTransaction, which: { memberId: number; accountId: number }) => Promise<unknown>;

  it.each<[string, Leaving]>([
    ['leaves the account', (tx, which) => removeMembership(tx, { ...which, nowMs: Date.now() })],
    [
      'is not taken back after the take-over of their address',
      async (tx, { memberId, accountId }) => {
        const held = { table: 'memberships', by: 'member_id', id: memberId };
        await changeColumn(tx, { ...held, column: 'active' }, 0);
        await changeColumn(tx, { ...held, column: 'held_since_ms' }, Date.now());
        const rows = await tx.select().from(tx.tables.memberships);
        const place = rows.find((row) => row.memberId === memberId && row.accountId === accountId);
        const membershipId = place?.id ?? 0;
        return settleHeldMembership(tx, { membershipId, keep: false, nowMs: Date.now() });
      },
    ],
  ])('ends for good when its member %s, even if they come back', async (_, leave) => {
    await using world = await startOauthWorld();
    const { main, other, db } = world;
    const { member, client, token, tokens } = await connected(world, { lasting: true });
    const reads = async (on: OauthWorld['main']) => (await call(on, token, MEMBERS)).code;
    expect([await reads(main), await reads(other)]).toEqual(['ok', 'ok']);
    const which = { memberId: member.id, accountId: 1 };
    const scope = { members: [member.id], accounts: [1] };
    await changeAccess(db, scope, (tx) => leave(tx, which));
    expect([await reads(other), await reads(main)]).toEqual(['401', '401']);
    await changeAccess(db, scope, (tx) => setMembership(tx, { ...which, roleType: 1, nowMs: Date.now() }));
    expect([await reads(other), await reads(main)]).toEqual(['401', '401']);
    const refreshed = oauth.refreshTokenGrant(client.config, tokens.refresh_token ?? '');
    await expect(refreshed).rejects.toMatchObject({ error: 'invalid_grant' });
    const list = await main.send('/v1/consent/applications', { token: member.token });
    expect(await list.json()).toMatchObject({ data: [] });
  });
});

describe('the access of an agent ends with the next request on the other node', () => {
  type Ending = (
    world: OauthWorld,
    connection: { member: TestMember; agent: TestApplication; token: string; client: Client },
  ) => Promise<unknown>;
  type Client = Awaited<ReturnType<OauthWorld['client']>>;
  const as = (world: OauthWorld, member: TestMember, path: string, body: object) =>
    world.main.send(path, { token: member.token, body, method: 'POST' });

  it.each<[string, string, Ending]>([
    ['the member signs out', '401', (world, { member }) => as(world, member, '/auth/logout', {})],
    [
      'the member withdraws',
      '401',
      async (world, { member }) => {
        const list = await world.main.send('/v1/consent/applications', { token: member.token });
        const { data } = (await list.json()) as { data: { id: number }[] };
        return as(world, member, '/v1/consent/withdraw', { consentId: data[0]?.id });
      },
    ],
    [
      'the application revokes the token',
      '401',
      (_, { client, token }) => oauth.tokenRevocation(client.config, token),
    ],
    [
      'the application is switched off',
      '401',
      async ({ db }, { agent }) => {
        const row = await findApplicationById(db, agent.id);
        if (row === undefined) throw new Error('There is no application');
        return changeAccess(db, {}, (tx) => setApplication(tx, { ...row, active: false, nowMs: Date.now() }));
      },
    ],
    [
      'the application may no longer ask for the scope',
      'insufficient_scope',
      async ({ db }, { agent }) => {
        const row = await findApplicationById(db, agent.id);
        if (row === undefined) throw new Error('There is no application');
        const fields = { ...row, scopes: ['openid'], nowMs: Date.now() };
        return changeAccess(db, {}, (tx) => setApplication(tx, fields));
      },
    ],
    [
      'the account forbids agents',
      'account_forbidden',
      ({ db }) => {
        const policy = { requiredLevel: 1, requiredFromMs: null, requiredUntilThen: 1, allowsAgents: false };
        return changeAccess(db, { accounts: [1] }, (tx) =>
          setAccountPolicy(tx, { accountId: 1, nowMs: Date.now(), ...policy }),
        );
      },
    ],
    [
      'the account asks for a higher level',
      '401',
      ({ db }) => {
        const policy = { requiredLevel: 2, requiredFromMs: null, requiredUntilThen: 1 };
        return changeAccess(db, { accounts: [1] }, (tx) =>
          setAccountPolicy(tx, { accountId: 1, nowMs: Date.now(), ...policy }),
        );
      },
    ],
  ])('when %s', { timeout: 60_000 }, async (_, code, end) => {
    await using world = await startOauthWorld();
    const { main, other } = world;
    const connection = await connected(world);
    const { token } = connection;
    for (const node of [main, other]) expect((await call(node, token, MEMBERS)).code).toBe('ok');
    await end(world, connection);
    for (const node of [other, main]) expect((await call(node, token, MEMBERS)).code).toBe(code);
  });
});
