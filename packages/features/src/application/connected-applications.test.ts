import { insertTestMember } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { signInThrough, startOauthWorld } from '../test/oauth-world.js';
import { insertTestConsent } from '../test/test-applications.js';

interface Listed {
  readonly data: { readonly id: number; readonly memberId: number; readonly memberName: string }[];
  readonly page: { readonly nextCursor: string | null };
  readonly error?: { readonly code: string };
}

/** Account 1 with an owner and a member, and calls of the owner in it. */
async function start() {
  const world = await startOauthWorld();
  const { db, main, admin, root } = world;
  const owner = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1, 2: 1 } });
  const member = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 2, 2: 2 } });
  const call = async (path: string, body: object, { as = owner, accountId = 1 } = {}) => {
    const response = await main.send(path, { token: as.token, accountId, body });
    return (await response.json()) as Listed;
  };
  return {
    ...world,
    owner,
    member,
    call,
    list: async (options?: Parameters<typeof call>[2]) =>
      (await call('/v1/consent/listInAccount', {}, options)).data.map(({ id }) => id),
    withdraw: async (consentId: number, options?: Parameters<typeof call>[2]) =>
      (await call('/v1/consent/withdrawInAccount', { consentId }, options)).error?.code ?? 'ok',
    byStaff: async (body: object) => {
      const response = await admin.send('/v1/platformApp/connected', { token: root.token, body });
      return (await response.json()) as Listed;
    },
  };
}

it('owners see the applications that act in their account for its members, page by page, and no others', async () => {
  await using world = await start();
  const { db, member, owner, list, call } = world;
  const here = await insertTestConsent(db, { memberId: member.id, accountId: 1, scopes: ['read'] });
  const own = await insertTestConsent(db, { memberId: owner.id, accountId: 1, scopes: ['manage'] });
  const elsewhere = await insertTestConsent(db, { memberId: member.id, accountId: 2, scopes: ['read'] });
  await insertTestConsent(db, { memberId: member.id });
  const stranger = await insertTestMember(db, { memberships: { 2: 2 } });
  await insertTestConsent(db, { memberId: stranger.id, accountId: 1, scopes: ['read'] });
  expect(await list()).toEqual([here, own]);
  expect(await list({ accountId: 2 })).toEqual([elsewhere]);
  const first = await call('/v1/consent/listInAccount', { limit: 1 });
  expect(first.data).toMatchObject([
    { id: here, memberId: member.id, name: 'Wiki', inAccountId: 1, scopes: ['read'], lastUsedAt: null },
  ]);
  const next = await call('/v1/consent/listInAccount', { limit: 1, cursor: first.page.nextCursor });
  expect([next.data.map(({ id }) => id), next.page.nextCursor]).toEqual([[own], null]);
  const asMember = await call('/v1/consent/listInAccount', {}, { as: member });
  expect(asMember.error?.code).toBe('permission_denied');
});

it('an owner revokes the access of an application on every node, and its member is notified', async () => {
  await using world = await start();
  const { db, main, other, owner, member, list, withdraw, baseUrl } = world;
  const agent = await world.application({ name: 'Helper', scopes: ['read', 'offline_access'] });
  const parameters = { resource: baseUrl, scope: 'read offline_access', prompt: 'consent' };
  const { tokens } = await signInThrough(world, agent, member, { parameters, account: 1, scopes: ['read'] });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const status = async (on = other) => (await on.send('/v1/member/list', { headers })).status;
  expect([await status(main), await status()]).toEqual([200, 200]);
  const [consentId = 0] = await list();
  expect(await withdraw(consentId, { accountId: 2 })).toBe('not_found');
  expect(await withdraw(consentId, { as: member })).toBe('permission_denied');
  expect(await status()).toBe(200);
  expect(await withdraw(consentId)).toBe('ok');
  expect([await status(), await status(main)]).toEqual([401, 401]);
  expect(await withdraw(consentId)).toBe('not_found');
  expect(await list()).toEqual([]);

  const told = await main.send('/v1/securityEvent/listMine', { token: member.token, body: {} });
  const { data } = (await told.json()) as { data: { kind: string; actor: { userId: number } | null }[] };
  expect(data).toContainEqual(expect.objectContaining({ kind: 'consent.withdrawn' }));
  const lines = await db.select().from(db.tables.auditLog);
  expect(lines.findLast(({ action }) => action === 'consent.withdrawn')).toMatchObject({
    actorId: owner.id,
    onBehalfOfId: member.id,
    accountId: 1,
    subjectId: String(agent.id),
  });
  const events = await db.select().from(db.tables.events);
  expect(events.findLast(({ type }) => type === 'consent.withdrawn')).toMatchObject({
    actorId: owner.id,
    subjectId: member.id,
    accountId: 1,
  });
});

it('staff see the applications that act for a member, and those in an account', async () => {
  await using world = await start();
  const { db, member, byStaff } = world;
  const here = await insertTestConsent(db, { memberId: member.id, accountId: 1, scopes: ['read'] });
  const alone = await insertTestConsent(db, { memberId: member.id });
  const ids = async (body: object) => (await byStaff(body)).data.map(({ id }) => id);
  expect(await ids({ memberId: member.id })).toEqual([here, alone]);
  expect(await ids({ accountId: 1 })).toEqual([here]);
  expect(await ids({ accountId: 2 })).toEqual([]);
  expect((await byStaff({})).error?.code).toBe('invalid_input');
});

it.each<[string, (world: Awaited<ReturnType<typeof start>>) => Promise<{ actorId: number | null }>]>([
  [
    'is removed by an owner',
    async ({ call, owner, member }) => {
      expect((await call('/v1/membership/remove', { memberId: member.id })).error).toBeUndefined();
      return { actorId: owner.id };
    },
  ],
  [
    'leaves',
    async ({ call, member }) => {
      expect((await call('/v1/membership/leave', {}, { as: member })).error).toBeUndefined();
      return { actorId: member.id };
    },
  ],
  [
    'is removed by staff',
    async ({ admin, root, member }) => {
      const body = { memberId: member.id, accountId: 1 };
      expect((await admin.send('/v1/membership/remove', { token: root.token, body })).status).toBe(200);
      return { actorId: root.id };
    },
  ],
])(
  'each consent of a member who %s ends with an audit entry, an event and a security event',
  async (_, leave) => {
    await using world = await start();
    const { db, main, member } = world;
    await insertTestConsent(db, { memberId: member.id, accountId: 1, scopes: ['read'] });
    await insertTestConsent(db, { memberId: member.id, accountId: 1, scopes: ['manage'] });
    const elsewhere = await insertTestConsent(db, { memberId: member.id, accountId: 2, scopes: ['read'] });
    const { actorId } = await leave(world);
    const withdrawn = (await db.select().from(db.tables.auditLog)).filter(
      ({ action }) => action === 'consent.withdrawn',
    );
    const isOwn = actorId === member.id;
    const line = { actorId, accountId: 1, onBehalfOfId: isOwn ? null : member.id };
    expect(withdrawn).toMatchObject([line, line]);
    const events = await db.select().from(db.tables.events);
    const told = { actorId, subjectId: member.id, accountId: 1 };
    expect(events.filter(({ type }) => type === 'consent.withdrawn')).toMatchObject([told, told]);
    const answer = await main.send('/v1/securityEvent/listMine', { token: member.token, body: {} });
    const { data } = (await answer.json()) as { data: { kind: string }[] };
    expect(data.filter(({ kind }) => kind === 'consent.withdrawn')).toHaveLength(2);
    const left = await db.select().from(db.tables.consents);
    expect(left.map(({ id }) => id)).toEqual([elsewhere]);
  },
);
