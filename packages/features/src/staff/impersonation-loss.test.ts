import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '@gatehouse/api-main/app';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { endImpersonation, insertImpersonation } from '@gatehouse/db/queries/impersonations';
import { setPersonnelState } from '@gatehouse/db/queries/personnel';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { endAllSessions, endSessionById } from '@gatehouse/db/queries/revoke-sessions';
import {
  type AccessWorld,
  beginLateRequest,
  insertTestMember,
  startAccessWorld,
  unsettled,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const OPTIONS = { timeout: 300_000 };

/** How long a loss may take to overtake a writing call. */
const PASSING_MS = 120;

interface Scene {
  readonly actorId: number;
  readonly memberId: number;
  readonly impersonationId: number;
  readonly subjectId: number;
  readonly token: string;
}

type Loss = (tx: AccessTransaction, scene: Scene, nowMs: number) => Promise<unknown>;

const roleOf = (memberId: number, roleType: number, nowMs: number) => ({
  memberId,
  roleType,
  role: 'Another',
  nowMs,
});

/** What ends an impersonation, as the procedures write it. */
const LOSSES: Readonly<Record<string, Loss>> = {
  'its end': (tx, { impersonationId, actorId }, nowMs) =>
    endImpersonation(tx, { impersonationId, actorId, endedById: actorId, nowMs }),
  'another one of its starter': async (tx, { actorId, memberId }, nowMs) => {
    const begun = { actorEpoch: 0, memberEpoch: 0, accountId: null, reason: 'Another', mayWrite: false };
    await insertImpersonation(
      tx,
      { actorId, memberId, ...begun, nowMs, expiresAtMs: nowMs + 600_000 },
      (id) => `another ${id} ${actorId}`,
    );
  },
  'the end of its session by the member': async (tx, { memberId, impersonationId }, nowMs) => {
    const rows = await tx.select().from(tx.tables.sessions);
    const sessionId = rows.find((row) => row.impersonationId === impersonationId)?.id ?? 0;
    await endSessionById(tx, { memberId, sessionId, nowMs, reason: 'revoked', endedById: null });
  },
  'the end of every session of the member': (tx, { memberId }, nowMs) =>
    endAllSessions(tx, memberId, { nowMs, reason: 'revoked', endedById: null }),
  'the end of every session of the starter': (tx, { actorId }, nowMs) =>
    endAllSessions(tx, actorId, { nowMs, reason: 'revoked', endedById: null }),
  'the demotion of the starter': (tx, { actorId }, nowMs) =>
    setMemberRole(unsettled(tx), roleOf(actorId, 6, nowMs)),
  'the dismissal of the starter': (tx, { actorId }, nowMs) =>
    setPersonnelState(unsettled(tx), { memberId: actorId, isPersonnel: false, nowMs }),
  'the deletion of the starter': (tx, { actorId }, nowMs) => removeMember(tx, { memberId: actorId, nowMs }),
  'the ban of the member': (tx, { memberId }, nowMs) =>
    setMemberRole(unsettled(tx), roleOf(memberId, 11, nowMs)),
};

async function createScene({ service, db }: AccessWorld): Promise<Scene> {
  const nowMs = Date.now();
  const actor = await insertTestMember(db, { roleType: 0, isPersonnel: true });
  const { id: memberId } = await insertTestMember(db, { memberships: { 2: 1 } });
  const subjectId = await db.insert(db.tables.subjects, {
    accountId: 2,
    name: 'A subject',
    createdAtMs: nowMs,
  });
  const session = { actorEpoch: 0, memberEpoch: 0, accountId: null, reason: 'A reason', mayWrite: true };
  let token = '';
  const impersonationId = await changeAccess(db, { members: [actor.id, memberId] }, (tx) =>
    insertImpersonation(
      tx,
      { actorId: actor.id, memberId, ...session, nowMs, expiresAtMs: nowMs + 600_000 },
      (id) => {
        const act = { userId: actor.id, impersonationId: id };
        const claims = {
          userId: memberId,
          role: 5,
          defaultPaymentId: 2,
          accountId: null,
          isPersonnel: false,
          act,
        };
        const sealed = service.services.tokens.sealImpersonation(claims, { nowMs, ttlSeconds: 600 });
        token = sealed.token;
        return sealed.tokenKey;
      },
    ),
  );
  return { actorId: actor.id, memberId, impersonationId, subjectId, token };
}

const take = (world: AccessWorld, scene: Scene, loss: Loss) =>
  changeAccess(world.db, { members: [scene.actorId, scene.memberId] }, (tx) => loss(tx, scene, Date.now()));

async function isRemoved({ db }: AccessWorld, { subjectId }: Scene): Promise<boolean> {
  const rows = await db.select().from(db.tables.subjects);
  return rows.find(({ id }) => id === subjectId)?.isDeleted ?? true;
}

const start = () => startAccessWorld(createApp, { dialect: inject('dialect'), application: 'web' });

const remove = (world: AccessWorld, { token, subjectId }: Scene) =>
  world.service.send('/v1/subject/remove', { token, accountId: 2, body: { subjectId } });

describe('an impersonation that ends during one of its calls', () => {
  it('completes the call if nothing ends the impersonation', OPTIONS, async () => {
    await using world = await start();
    const scene = await createScene(world);
    expect((await remove(world, scene)).status).toBe(200);
    expect(await isRemoved(world, scene)).toBe(true);
  });

  it(
    'refuses the call between the headers and the end of the body, and nothing is changed',
    OPTIONS,
    async () => {
      await using world = await start();
      for (const [name, loss] of Object.entries(LOSSES)) {
        const scene = await createScene(world);
        const { statistics } = world.service.services.access;
        const checks = statistics.checks;
        const late = await beginLateRequest(`${world.service.url}/v1/subject/remove`, {
          headers: { token: scene.token, accountid: '2' },
          body: { subjectId: scene.subjectId },
        });
        for (let waited = 0; statistics.checks === checks && waited < 10_000; waited += 5) await pause(5);
        await pause(20);
        await take(world, scene, loss);
        expect([name, await late.finish(), await isRemoved(world, scene)]).toEqual([name, 401, false]);
      }
    },
  );

  it(
    'refuses the call between the last check and the transaction, and nothing is changed',
    OPTIONS,
    async () => {
      await using world = await start();
      for (const [name, loss] of Object.entries(LOSSES)) {
        const scene = await createScene(world);
        world.holdups.beforeTransaction = async () => {
          await take(world, scene, loss);
        };
        const { status } = await remove(world, scene);
        world.holdups.beforeTransaction = undefined;
        expect([name, status, await isRemoved(world, scene)]).toEqual([name, 401, false]);
      }
    },
  );

  it('takes effect only after a write that was already allowed has finished', OPTIONS, async () => {
    await using world = await start();
    for (const [name, loss] of Object.entries(LOSSES)) {
      const scene = await createScene(world);
      let taking: Promise<unknown> | undefined;
      let hasPassed = false;
      world.holdups.beforeTransaction = () => {
        world.holdups.beforeWrite = async () => {
          taking = take(world, scene, loss).then(
            () => true,
            () => false,
          );
          hasPassed = await Promise.race([taking.then(() => true), pause(PASSING_MS, false)]);
        };
        return Promise.resolve();
      };
      const { status } = await remove(world, scene);
      world.holdups.beforeWrite = undefined;
      await taking;
      expect([name, status, hasPassed]).toEqual([name, 200, false]);
      expect([name, (await remove(world, scene)).status]).toEqual([name, 401]);
    }
  });
});
