import { createApp } from '@gatehouse/api-main/app';
import { changeAccess, endAllSessions, removeMember, setMemberRole, setPassword } from '@gatehouse/db';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/published-secrets';
import { type AccessWorld, startAccessWorld, unsettled } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { changePartner } from '../../partner/change-partner.js';
import { stopPartner } from '../../partner/stop-partner.js';
import { operatorChange } from '../../test/operator-change.js';
import { loginTokenIn, partnerClient } from '../../test/partner-client.js';

const start = () => startAccessWorld(createApp, { dialect: inject('dialect'), application: 'web' });

const OWNER = 3;

const changes = {
  role: ({ db }: AccessWorld) =>
    changeAccess(db, { members: [OWNER] }, (tx) =>
      setMemberRole(unsettled(tx), { memberId: OWNER, roleType: 4, role: 'Another', nowMs: Date.now() }),
    ),
  password: ({ db }: AccessWorld) =>
    changeAccess(db, { members: [OWNER] }, (tx) =>
      setPassword(tx, { memberId: OWNER, hash: 'another', nowMs: Date.now() }),
    ),
  deletion: ({ db }: AccessWorld) =>
    changeAccess(db, { members: [OWNER] }, (tx) => removeMember(tx, { memberId: OWNER, nowMs: Date.now() })),
};

const sessionsOf = async ({ db }: AccessWorld) => (await db.select().from(db.tables.sessions)).length;

describe('a login whose member changes before its session is made', () => {
  it.each(Object.entries(changes))('is refused and makes none: %s', async (_, change) => {
    await using world = await start();
    world.holdups.beforeTransaction = async () => void (await change(world));
    const body = { email: 'owner@acme.test', password: DEMONSTRATION_PASSWORD };
    const answer = await world.service.send('/webauthenticate', { body });
    expect([answer.status, await sessionsOf(world)]).toEqual([401, 0]);
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_credentials' } });
    expect(world.holdups.beforeTransaction).toBeUndefined();
  });
});

describe('a login URL of a partner', () => {
  const registered = async ({ other }: AccessWorld) => {
    const client = await partnerClient(other);
    const { userId, loginUrl } = await client.register({ email: 'new@many.test' });
    return { userId, token: loginTokenIn(loginUrl) };
  };

  it('makes no session when the partner is deactivated meanwhile, not even where it is active again since', async () => {
    await using world = await start();
    const { token } = await registered(world);
    world.holdups.beforeTransaction = async () => {
      await stopPartner(operatorChange(world.other), 1);
      await changePartner(operatorChange(world.other), { id: 1, isActive: true });
    };
    const answer = await world.service.send('/webauthenticate', { body: { tempLogin: true, token } });
    expect([answer.status, await sessionsOf(world)]).toEqual([403, 0]);
  });

  it('makes no session when all sessions of the member are ended meanwhile', async () => {
    await using world = await start();
    const { token, userId } = await registered(world);
    world.holdups.beforeTransaction = async () => {
      const nowMs = Date.now() + 2_000;
      await changeAccess(world.db, { members: [userId] }, (tx) => endAllSessions(tx, userId, { nowMs }));
    };
    const answer = await world.service.send('/webauthenticate', { body: { tempLogin: true, token } });
    expect([answer.status, await sessionsOf(world)]).toEqual([403, 0]);
  });
});
