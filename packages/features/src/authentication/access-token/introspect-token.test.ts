import { makeOpaqueToken } from '@gatehouse/auth-core';
import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { shutAccount } from '@gatehouse/db/queries/change-accounts';
import { findOpenSession } from '@gatehouse/db/queries/list-sessions';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { beginLateRequest, insertTestMember, type RunningService } from '@gatehouse/testkit';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { callWith, startAccessTokenWorld } from '../../test/access-token-world.js';

const ORIGIN = 'https://api.product.test';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const INACTIVE = { active: false };

/** An API whose machine has a key, and a member of account 1 with a token for it. */
async function start(options?: Parameters<typeof startAccessTokenWorld>[0]) {
  const world = await startAccessTokenWorld(options);
  const { main, admin, root, db } = world;
  const newMachine = async () =>
    (await callWith(admin, '/v1/machine/save', root.token, { name: 'Invoices' })).data;
  const newKey = async (machineId: number | undefined, more: object = {}) => {
    const made = await callWith(admin, '/v1/key/create', root.token, {
      machineId,
      name: 'K',
      scopes: [],
      ...more,
    });
    return { id: made.data.id, key: made.key ?? '' };
  };
  const save = (body: object) =>
    callWith(admin, '/v1/resource/save', root.token, { name: 'Invoices', ...body });
  const { id: machineId } = await newMachine();
  const { data: resource } = await save({ origin: ORIGIN, machineId });
  const { key } = await newKey(machineId);
  const issue = async (member: { token: string }, accountId?: number, audience = ORIGIN) =>
    (await callWith(main, '/v1/session/accessToken', member.token, { audience }, accountId)).data
      .accessToken ?? '';
  return {
    ...world,
    newMachine,
    newKey,
    save,
    machineId,
    resource,
    key,
    issue,
    member: () => insertTestMember(db, MEMBER),
  };
}

type World = Awaited<ReturnType<typeof start>>;

const MEMBER = { isConfirmed: true, memberships: { 1: 3 } };

async function introspect(on: RunningService, key: string, token: string) {
  const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
  const response = await on.send('/oauth/introspect', { bearer: key, body, headers: FORM });
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, json, headers: response.headers };
}

describe('the introspection of an access token', () => {
  it('returns what the token says and what the member may do now, on every node', async () => {
    await using world = await start();
    const { main, other, key, issue, db } = world;
    const member = await world.member();
    const token = await issue(member, 1);
    const first = await introspect(main, key, token);
    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.json).toMatchObject({
      active: true,
      token_type: 'Bearer',
      iss: main.services.config.BASE_URL,
      aud: ORIGIN,
      sub: String(member.id),
      client_id: 'gatehouse',
      account: 1,
      role: 3,
      permissions: expect.arrayContaining(['member.list']),
      sid: expect.any(Number),
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
    expect((await introspect(other, key, token)).json).toEqual(first.json);
    expect((await introspect(main, key, await issue(member))).json).toMatchObject({
      active: true,
      account: null,
      role: null,
      permissions: [],
    });

    await changeAccess(db, { members: [member.id], accounts: [1] }, (tx) =>
      setMembership(tx, { memberId: member.id, accountId: 1, roleType: 5, nowMs: Date.now() }),
    );
    for (const node of [main, other]) {
      const { json } = await introspect(node, key, token);
      expect(json).toMatchObject({ active: true, role: 5 });
      expect(json['permissions']).not.toContain('member.list');
    }
  });

  const change =
    (body: (tx: AccessTransaction, memberId: number) => Promise<unknown>) =>
    ({ db }: World, { id }: { id: number }) =>
      changeAccess(db, { members: [id], accounts: [1] }, (tx) => body(tx, id));

  it.each([
    [
      'its session ended',
      async ({ main }: World, { token }: { token: string }) => {
        expect((await main.send('/auth/logout', { token, method: 'POST' })).status).toBe(200);
      },
    ],
    [
      'all sessions of the member ended',
      change((tx, id) => endAllSessions(tx, id, { nowMs: Date.now(), reason: 'revoked', endedById: null })),
    ],
    [
      'the member is banned',
      async ({ admin, root }: World, { id }: { id: number }) => {
        const { status } = await callWith(admin, '/v1/member/ban', root.token, { memberId: id });
        expect(status).toBe(200);
      },
    ],
    [
      'the member left the account',
      change((tx, memberId) => removeMembership(tx, { memberId, accountId: 1, nowMs: Date.now() })),
    ],
    [
      'the account is closed',
      change((tx) => {
        const nowMs = Date.now();
        return shutAccount(tx, { accountId: 1, closedById: 1, erasesAtMs: nowMs, nowMs });
      }),
    ],
    [
      'the account requires a higher level',
      change((tx) =>
        setAccountPolicy(tx, {
          accountId: 1,
          requiredLevel: 2,
          requiredFromMs: null,
          requiredUntilThen: 1,
          nowMs: Date.now(),
        }),
      ),
    ],
  ])('says that it is inactive from the next request on every node when %s', async (_, take) => {
    await using world = await start();
    const { main, other, key, issue } = world;
    const member = await world.member();
    const token = await issue(member, 1);
    for (const node of [main, other]) expect((await introspect(node, key, token)).json['active']).toBe(true);
    await take(world, member);
    for (const node of [other, main]) expect((await introspect(node, key, token)).json).toEqual(INACTIVE);
  });

  it('stays active when the session is refreshed, and when all other sessions end', async () => {
    await using world = await start();
    const { main, other, key, issue, db } = world;
    const member = await insertTestMember(db, { ...MEMBER, ageSeconds: 2_400, ttlSeconds: 3_600 });
    const token = await issue(member, 1);
    const { sid } = (await introspect(main, key, token)).json;
    const refreshed = await main.send('/v1/session/refresh', { token: member.token, body: {} });
    expect(refreshed.status).toBe(200);
    for (const node of [main, other]) expect((await introspect(node, key, token)).json['active']).toBe(true);
    await changeAccess(db, { members: [member.id] }, async (tx) => {
      const keep = await findOpenSession(tx, { memberId: member.id, sessionId: Number(sid) });
      expect(keep).toBeDefined();
      await endAllSessions(tx, member.id, {
        nowMs: Date.now(),
        reason: 'revoked',
        endedById: null,
        ...(keep && { keep }),
      });
    });
    for (const node of [main, other])
      expect((await introspect(node, key, token)).json).toMatchObject({ active: true, sid });
  });

  it('reads the session once while nothing changes, and again when another node may have recorded its use', async () => {
    let atMs = Date.now();
    await using world = await start({ env: { SESSION_IDLE: '1h' }, now: () => atMs });
    const { main, other, key, issue, db } = world;
    const member = await insertTestMember(db, { ...MEMBER, ttlSeconds: 7_200 });
    const token = await issue(member, 1);
    expect((await introspect(other, key, token)).json['active']).toBe(true);
    const { statistics } = other.services.access;
    const before = statistics.loads;
    expect((await introspect(other, key, token)).json['active']).toBe(true);
    expect(statistics.loads).toBe(before);

    for (const minutes of [40, 40]) {
      atMs += minutes * 60_000;
      expect((await main.send('/auth/me', { token: member.token })).status).toBe(200);
    }
    const later = await issue(member, 1);
    expect((await introspect(other, key, later)).json['active']).toBe(true);
    expect(statistics.loads).toBe(before + 1);
  });

  it('says only that a token is inactive if the token is for an API of another machine', async () => {
    await using world = await start();
    const { main, key, issue, save, newMachine, newKey, resource, machineId } = world;
    const member = await world.member();
    const token = await issue(member, 1);
    const elsewhere = 'https://other.product.test';
    const { id: otherMachine } = await newMachine();
    await save({ origin: elsewhere, machineId: otherMachine });
    const { key: otherKey } = await newKey(otherMachine);
    const foreign = await issue(member, 1, elsewhere);
    expect((await introspect(main, otherKey, foreign)).json['active']).toBe(true);
    expect((await introspect(main, key, foreign)).json).toEqual(INACTIVE);
    expect((await introspect(main, otherKey, token)).json).toEqual(INACTIVE);

    const signer = await main.services.signingKeys.signer();
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;
    const sign = (typ: string, more: object) =>
      new SignJWT({ ...claims, ...more })
        .setProtectedHeader({ alg: 'ES256', typ, kid: signer.kid })
        .sign(signer.key);
    expect((await introspect(main, key, await sign('at+jwt', {}))).json['active']).toBe(true);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    for (const wrong of [
      '',
      'x',
      member.token,
      `${header}.${payload}.`,
      `${unsigned}.${payload}.`,
      `${header}.${payload}.${signature.split('').toReversed().join('')}`,
      await sign('JWT', {}),
      await sign('at+jwt', { iss: 'https://issuer.test' }),
      await sign('at+jwt', { exp: Math.floor(Date.now() / 1000) - 1 }),
      await sign('at+jwt', { sub: '999999' }),
      await sign('at+jwt', { sid: null }),
    ])
      expect([wrong, (await introspect(main, key, wrong)).json]).toEqual([wrong, INACTIVE]);

    await save({ resourceId: resource.id, origin: ORIGIN });
    expect((await introspect(main, key, token)).json).toEqual(INACTIVE);
    await save({ resourceId: resource.id, origin: ORIGIN, machineId });
    expect((await introspect(main, key, token)).json['active']).toBe(true);
  });

  it('requires a live key of a machine, from its addresses and within its limit', async () => {
    await using world = await start();
    const { main, other, admin, root, key, issue, newKey, machineId } = world;
    const member = await world.member();
    const token = await issue(member, 1);
    for (const bearer of [makeOpaqueToken('apiKey'), 'gthk_x', 'x', token]) {
      const { status, headers } = await introspect(main, bearer, token);
      expect([bearer, status]).toEqual([bearer, 401]);
      expect(headers.get('www-authenticate')).toContain('Bearer');
    }
    const body = new URLSearchParams({ token }).toString();
    for (const as of [{}, { token: member.token }])
      expect((await main.send('/oauth/introspect', { ...as, body, headers: FORM })).status).toBe(401);
    expect((await main.send('/oauth/introspect', { bearer: key })).status).toBe(405);
    for (const wrong of ['', 'token=a&token=b'])
      expect(
        (await main.send('/oauth/introspect', { bearer: key, body: wrong, headers: FORM, method: 'POST' }))
          .status,
      ).toBe(400);

    const elsewhere = await newKey(machineId, { addresses: ['192.0.2.0/24'] });
    expect((await introspect(main, elsewhere.key, token)).status).toBe(403);
    const limited = await newKey(machineId, { perMinute: 1 });
    const statuses = [];
    // Of three, two are in the same minute of the clock, however it turns.
    for (let call = 0; call < 3; call += 1)
      statuses.push((await introspect(main, limited.key, token)).status);
    expect(statuses).toContain(429);

    const second = await newKey(machineId);
    await callWith(admin, '/v1/key/revoke', root.token, { keyId: second.id });
    for (const node of [main, other]) expect((await introspect(node, second.key, token)).status).toBe(401);
    const third = await newKey(machineId);
    const headers = { authorization: `Bearer ${third.key}` };
    const late = await beginLateRequest(`${other.url}/oauth/introspect`, { headers, body: { token } });
    await callWith(admin, '/v1/key/revoke', root.token, { keyId: third.id });
    expect(await late.finish()).toBe(401);
    await callWith(admin, '/v1/machine/remove', root.token, { machineId });
    for (const node of [other, main]) expect((await introspect(node, key, token)).status).toBe(401);
  });

  it('requires a machine of the staff, which no account manages', async () => {
    await using world = await start();
    const { admin, root, save } = world;
    const { data: resource } = await save({ origin: 'https://third.product.test' });
    expect(resource).toMatchObject({ machineId: null });
    const { id: machineId = 0 } = await world.newMachine();
    expect((await save({ origin: 'https://fourth.product.test', machineId: 999_999 })).code).toBe(
      'not_found',
    );
    await callWith(admin, '/v1/machine/remove', root.token, { machineId });
    expect((await save({ origin: 'https://fourth.product.test', machineId })).code).toBe('not_found');
  });
});
