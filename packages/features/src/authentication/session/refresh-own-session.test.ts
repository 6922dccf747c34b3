import { changeAccess } from '@gatehouse/db/queries/change-access';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { insertTestMember, type RunningService, type TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type FactorWorld, readAnswer, startFactorWorld } from '../../test/factor-world.js';

const DAY_MS = 86_400_000;

const PARTNER_LOGIN = {
  type: 'partnerLogin',
  role: null,
  defaultPaymentId: null,
  accountIds: [],
  partnerId: null,
} as const;

async function signIn(
  world: FactorWorld,
  { id: userId }: TestMember,
  asPartner = false,
  on = world.main,
): Promise<string> {
  const { tokens } = world.main.services;
  const { token } = asPartner
    ? tokens.sealOneUse({ ...PARTNER_LOGIN, userId }, 300)
    : tokens.sealOneUse({ type: 'socialLogin', userId, provider: 'google' }, 300);
  return String((await world.call('signIn.token', { token }, { on })).data['token']);
}

const refresh = async (world: FactorWorld, token: string, on?: RunningService) => {
  const { status, data } = await world.call('session.refresh', {}, { token, ...(on ? { on } : {}) });
  return { status, token: String(data['token'] ?? ''), expiresAtMs: Date.parse(String(data['expiresAt'])) };
};

const statusOf = async (token: string, ...services: RunningService[]) =>
  Promise.all(services.map(async (service) => (await service.send('/auth/me', { token })).status));

const linesOf = async (world: FactorWorld, token: string) => {
  const answer = await readAnswer(await world.main.send('/auth/sessions', { token }));
  return answer.body['data'] as Record<string, unknown>[];
};

describe('session.refresh', () => {
  it('returns the same token until half of its lifetime, then one that lasts longer', async () => {
    await using world = await startFactorWorld();
    const token = await signIn(world, await world.member());
    const begunAtMs = world.nowMs();
    world.wait(3.5 * DAY_MS - 60_000);
    expect(await refresh(world, token)).toMatchObject({ status: 200, token });
    world.wait(120_000);
    const next = await refresh(world, token);
    expect(next.token).not.toBe(token);
    expect(next.expiresAtMs).toBeGreaterThan(begunAtMs + 10 * DAY_MS);
    expect(await statusOf(next.token, world.main, world.other)).toEqual([200, 200]);
  });

  it('keeps the old token valid for a minute from its first refresh, on every node', async () => {
    await using world = await startFactorWorld();
    const token = await signIn(world, await world.member());
    world.wait(4 * DAY_MS);
    expect(await statusOf(token, world.main, world.other)).toEqual([200, 200]);
    const next = await refresh(world, token);
    world.wait(59_000);
    expect(await statusOf(token, world.main, world.other)).toEqual([200, 200]);
    const again = await refresh(world, token, world.other);
    expect(again.expiresAtMs).toBe(next.expiresAtMs);
    expect(await statusOf(again.token, world.main, world.other)).toEqual([200, 200]);
    world.wait(2_000);
    expect(await statusOf(token, world.main, world.other)).toEqual([401, 401]);
    expect((await refresh(world, token)).status).toBe(401);
    expect(await statusOf(next.token, world.main, world.other)).toEqual([200, 200]);
  });

  it('keeps the methods, the times and the name, and stops at SESSION_ABSOLUTE', async () => {
    await using world = await startFactorWorld({ SESSION_ABSOLUTE: '10d' });
    const member = await world.enrolled();
    const challenge = await world.signIn(member);
    const step = await world.call('signIn.step', { challenge: challenge.challenge, code: member.code() });
    let token = String(step.data['token']);
    const begunAtMs = world.nowMs();
    const [first] = await linesOf(world, token);
    await world.call('session.rename', { sessionId: first?.['id'], name: 'Kitchen tablet' }, { token });
    world.wait(4 * DAY_MS);
    const next = await refresh(world, token);
    expect(next.expiresAtMs).toBeLessThanOrEqual(begunAtMs + 10 * DAY_MS);
    token = next.token;
    const lines = await linesOf(world, token);
    expect(lines.filter(({ isCurrent }) => isCurrent)).toEqual([
      {
        ...first,
        deviceName: 'Kitchen tablet',
        isCurrent: true,
        methods: ['pwd', 'totp'],
        level: 2,
        authTime: new Date(begunAtMs).toISOString(),
        createdAt: new Date(begunAtMs).toISOString(),
        lastSeenAt: expect.any(String),
        expiresAt: new Date(next.expiresAtMs).toISOString(),
      },
    ]);
    world.wait(4 * DAY_MS);
    expect((await refresh(world, token)).token).toBe(token);
    world.wait(2 * DAY_MS + 1_000);
    expect(await statusOf(token, world.main, world.other)).toEqual([401, 401]);
  });

  it('makes no session recently verified, and one verification applies to the whole session', async () => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const token = await signIn(world, member);
    world.wait(4 * DAY_MS);
    const next = await refresh(world, token);
    expect((await world.call('totp.start', {}, { token: next.token })).code).toBe('verification_required');
    const proved = await world.call('verification.prove', { password: 'Lantern-Harbor-42' }, { token });
    expect(proved.status).toBe(200);
    expect((await world.call('totp.start', {}, { token: next.token, on: world.other })).status).toBe(200);
  });

  it('accepts bearers, and tokens without a session row, which then get one', async () => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const login = { email: member.email, password: 'Lantern-Harbor-42' };
    const bearer = String(
      (await readAnswer(await world.main.send('/authenticate', { body: login }))).body['token'],
    );
    const rowless = await world.member({ withSession: false });
    const claims = {
      userId: rowless.id,
      role: 5,
      defaultPaymentId: null,
      accountId: null,
      isPersonnel: false,
    };
    const { token } = world.main.services.tokens.sealSession(claims);
    world.wait(4 * DAY_MS);
    const answer = await readAnswer(await world.main.send('/v1/session/refresh', { bearer, method: 'POST' }));
    const renewed = String(answer.data['token']);
    expect((await world.other.send('/auth/me', { bearer: renewed })).status).toBe(200);
    expect((await world.other.send('/auth/me', { token: renewed })).status).toBe(401);
    const next = await refresh(world, token);
    expect(await linesOf(world, next.token)).toHaveLength(1);
    world.wait(61_000);
    expect((await world.main.send('/auth/me', { bearer })).status).toBe(401);
    expect(await statusOf(token, world.main, world.other)).toEqual([401, 401]);
    expect(await statusOf(next.token, world.main, world.other)).toEqual([200, 200]);
  });

  it("keeps a partner's session a partner's, without a verification", async () => {
    await using world = await startFactorWorld();
    const token = await signIn(world, await world.member(), true);
    world.wait(4 * DAY_MS);
    const { token: next } = await refresh(world, token);
    expect(next).not.toBe(token);
    expect((await world.call('factor.list', {}, { token: next })).code).toBe('permission_denied');
    const rows = await world.db.select().from(world.db.tables.sessions);
    const known = rows.find(
      ({ tokenKey }) => tokenKey === world.main.services.tokens.openSession(next)?.tokenKey,
    );
    expect(known).toMatchObject({ partnerId: 0, verifiedAtMs: null, amr: 'partner' });
  });

  it('is refused when the session ends between the check and the new token', async () => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const token = await signIn(world, member);
    world.wait(4 * DAY_MS);
    const both = await Promise.all([
      refresh(world, token),
      changeAccess(world.db, { members: [member.id] }, (tx) =>
        endAllSessions(tx, member.id, { nowMs: world.nowMs(), reason: 'revoked', endedById: null }),
      ),
    ]);
    const made = both[0].token === '' ? token : both[0].token;
    expect(await statusOf(made, world.main, world.other)).toEqual([401, 401]);
    expect(await statusOf(token, world.main, world.other)).toEqual([401, 401]);
  });
});

type End = (
  world: FactorWorld,
  session: { token: string; next: string; member: TestMember },
) => Promise<unknown>;

async function staff(world: FactorWorld): Promise<TestMember> {
  const root = await insertTestMember(world.db, { roleType: 0, isPersonnel: true });
  return { ...root, token: await signIn(world, root, false, world.admin) };
}

/** Every way to end a session. The old token and the new one are both valid when it begins. */
const ENDS: Record<string, End> = {
  'a sign-out with the new token': ({ main }, { next }) =>
    main.send('/auth/logout', { method: 'POST', token: next }),
  'a sign-out with the old token': ({ main }, { token }) =>
    main.send('/auth/logout', { method: 'POST', token }),
  'session.endMany by its number': async (world, { token, next, member }) => {
    const another = await signIn(world, member);
    const line = (await linesOf(world, next)).find(({ isCurrent }) => isCurrent);
    expect((await linesOf(world, token)).find(({ isCurrent }) => isCurrent)).toEqual(line);
    await world.main.send('/auth/sessions/end', { token: another, body: { sessionId: line?.['id'] } });
  },
  'session.endMany of the others': async (world, { member }) => {
    const another = await signIn(world, member);
    await world.main.send('/auth/sessions/end', { token: another, body: { others: true } });
  },
  'session.endFor by its number': async (world, { next, member }) => {
    const root = await staff(world);
    const line = (await linesOf(world, next)).find(({ isCurrent }) => isCurrent);
    const input = { memberId: member.id, sessionId: line?.['id'] };
    await world.call('session.endFor', input, { token: root.token, on: world.admin });
  },
  'session.endFor of all': async (world, { member }) => {
    const root = await staff(world);
    await world.call('session.endFor', { memberId: member.id }, { token: root.token, on: world.admin });
  },
  'a ban': async (world, { member }) => {
    const root = await staff(world);
    await world.call('member.ban', { memberId: member.id }, { token: root.token, on: world.admin });
  },
  'a reset of the password': async (world, { member }) => {
    const { id: userId, email } = member;
    const claims = { type: 'passwordReset', userId, email, passwordChangedAtMs: null } as const;
    const { token } = world.main.services.tokens.sealOneUse(claims, 300);
    const sent = await world.main.send('/resetPassword', { body: { token, password: 'Copper-Meadow-17' } });
    expect(sent.status).toBe(200);
  },
};

describe('a refreshed session', () => {
  it.each(Object.entries(ENDS))('ends as a whole, on every node, by %s', async (_, end) => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const token = await signIn(world, member);
    world.wait(4 * DAY_MS);
    const { token: next } = await refresh(world, token);
    expect([
      await statusOf(token, world.main, world.other),
      await statusOf(next, world.main, world.other),
    ]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await end(world, { token, next, member });
    expect([
      await statusOf(token, world.main, world.other),
      await statusOf(next, world.main, world.other),
    ]).toEqual([
      [401, 401],
      [401, 401],
    ]);
    expect([(await refresh(world, token)).status, (await refresh(world, next)).status]).toEqual([401, 401]);
  });

  it('is kept as a whole when the other sessions end', async () => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const token = await signIn(world, member);
    const another = await signIn(world, member);
    world.wait(4 * DAY_MS);
    const { token: next } = await refresh(world, token);
    await world.main.send('/auth/sessions/end', { token, body: { others: true } });
    expect(await statusOf(next, world.main, world.other)).toEqual([200, 200]);
    expect(await statusOf(another, world.main, world.other)).toEqual([401, 401]);
  });
});
