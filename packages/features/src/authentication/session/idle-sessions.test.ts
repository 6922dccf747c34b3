import { touchSession, touchSessions } from '@gatehouse/db/queries/change-session';
import { insertTestMember, type RunningService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type FactorWorld, startFactorWorld } from '../../test/factor-world.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function signIn(world: FactorWorld, userId: number, on = world.main): Promise<string> {
  const claims = { type: 'socialLogin', userId, provider: 'google' } as const;
  const { token } = world.main.services.tokens.sealOneUse(claims, 300);
  return String((await world.call('signIn.token', { token }, { on })).data['token']);
}

const statusOf = async (token: string, service: RunningService) =>
  (await service.send('/auth/me', { token })).status;

describe('a session that ends when it is not used', () => {
  it('ends on every node, and not early', async () => {
    await using world = await startFactorWorld({ SESSION_IDLE: '1h' });
    const { id } = await world.member();
    const token = await signIn(world, id);
    expect([await statusOf(token, world.main), await statusOf(token, world.other)]).toEqual([200, 200]);
    world.wait(HOUR_MS - 1_000);
    expect(await statusOf(token, world.main)).toBe(200);
    world.wait(HOUR_MS);
    expect([await statusOf(token, world.main), await statusOf(token, world.other)]).toEqual([401, 401]);
  });

  it('is kept alive by its use on another node, even if this node has cached an older decision', async () => {
    await using world = await startFactorWorld({ SESSION_IDLE: '1h' });
    const { id } = await world.member();
    const token = await signIn(world, id);
    expect([await statusOf(token, world.main), await statusOf(token, world.other)]).toEqual([200, 200]);
    for (let turn = 0; turn < 4; turn += 1) {
      world.wait(50 * MINUTE_MS);
      expect(await statusOf(token, world.main)).toBe(200);
    }
    world.wait(MINUTE_MS);
    expect(await statusOf(token, world.other)).toBe(200);
  });

  it('is read again once in half of that time, and otherwise adds no statement to a guarded call', async () => {
    await using world = await startFactorWorld({ SESSION_IDLE: '1h' });
    const { id } = await world.member();
    const token = await signIn(world, id);
    await statusOf(token, world.main);
    const { statistics } = world.main.services.access;
    const loads = statistics.loads;
    for (let turn = 0; turn < 6; turn += 1) {
      world.wait(10 * MINUTE_MS);
      expect(await statusOf(token, world.main)).toBe(200);
    }
    expect(statistics.loads - loads).toBe(2);
  });
});

describe('a node whose clock is behind', () => {
  it('does not overwrite a later use that another node has written', async () => {
    await using world = await startFactorWorld({ SESSION_IDLE: '1h' });
    const { id } = await world.member();
    const token = await signIn(world, id);
    world.wait(50 * MINUTE_MS);
    expect(await statusOf(token, world.main)).toBe(200);
    const { sessions } = world.db.tables;
    const [row] = (await world.db.select().from(sessions)).toSorted((one, other) => other.id - one.id);
    if (row === undefined) throw new Error('There is no session');
    expect(row.lastSeenAtMs).toBe(world.nowMs());
    const behindMs = world.nowMs() - 65 * MINUTE_MS;
    await touchSessions(world.db, [row.id], behindMs);
    await touchSession(world.db, { sessionId: row.id, idleBeforeMs: 0, nowMs: behindMs });
    const after = (await world.db.select().from(sessions)).find((each) => each.id === row.id);
    expect(after?.lastSeenAtMs).toBe(row.lastSeenAtMs);
  });
});

describe('a session that has ended', () => {
  it('is refused without a statement, however long ago it was used', async () => {
    await using world = await startFactorWorld({ SESSION_IDLE: '1h' });
    const { id } = await world.member();
    const token = await signIn(world, id);
    expect((await world.main.send('/auth/logout', { token, body: {} })).status).toBe(200);
    expect(await statusOf(token, world.main)).toBe(401);
    world.wait(2 * HOUR_MS);
    const { loads } = world.main.services.access.statistics;
    expect(await statusOf(token, world.main)).toBe(401);
    expect(world.main.services.access.statistics.loads).toBe(loads);
  });
});

describe('the session limits for staff', () => {
  it('are separate, and end a session that is in constant use', async () => {
    await using world = await startFactorWorld({ STAFF_SESSION_IDLE: '1h', STAFF_SESSION_ABSOLUTE: '24h' });
    const root = await insertTestMember(world.db, { roleType: 0, isPersonnel: true });
    const member = await world.member();
    const [idle, used] = [
      await signIn(world, root.id, world.admin),
      await signIn(world, root.id, world.admin),
    ];
    const others = await signIn(world, member.id);
    for (let passed = 0; passed < 23; passed += 1) {
      world.wait(HOUR_MS - 2 * MINUTE_MS);
      expect([passed, await statusOf(used, world.admin)]).toEqual([passed, 200]);
    }
    expect(await statusOf(idle, world.admin)).toBe(401);
    world.wait(50 * MINUTE_MS);
    expect(await statusOf(used, world.admin)).toBe(200);
    world.wait(57 * MINUTE_MS);
    expect([await statusOf(used, world.admin), await statusOf(used, world.main)]).toEqual([401, 401]);
    expect(await statusOf(others, world.main)).toBe(200);
  });
});
