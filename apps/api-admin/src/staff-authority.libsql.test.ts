// @module-tag slow

import { createRoles, staffAuthorityChange } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setBan } from '@gatehouse/db/queries/change-member';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import { setPersonnelState } from '@gatehouse/db/queries/personnel';
import { setPersonnelGrant } from '@gatehouse/db/queries/personnel-grants';
import { endMemberAccess, removeMember } from '@gatehouse/db/queries/remove-member';
import { type Planted, plant } from '@gatehouse/features/test/planted-member';
import {
  MAIN_PROCEDURES,
  type SupportWorld,
  startSupportWorld,
} from '@gatehouse/features/test/support-world';
import { type ListedProcedure, listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { createAccessScene, type TestMemberOptions, unsettled } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { router } from './router.js';
import { GUARDED_CALLS } from './test/guarded-calls.js';

const roles = createRoles();
const URL = 'http://localhost:4000';
const WITH_PASSKEYS = { APP_URL: URL, BASE_URL: URL, PASSKEY_ORIGINS: '' };
const COLLEAGUE: TestMemberOptions = { roleType: 6, isPersonnel: true, grants: [2] };

/** Members whose address nobody has proven, in every state from which somebody may become staff or gain authority. */
const STATES: Readonly<Record<string, (world: SupportWorld) => Promise<Planted>>> = {
  'a member': (world) => plant(world),
  'a colleague': (world) => plant(world, COLLEAGUE),
  async 'a colleague who was switched off'(world) {
    const planted = await plant(world, COLLEAGUE);
    const nowMs = world.nowMs();
    await changeAccess(world.db, { members: [planted.id] }, async (tx) => {
      await setPersonnelState(unsettled(tx), { memberId: planted.id, isPersonnel: false, nowMs });
      await setPersonnelGrant(unsettled(tx), { personnelId: planted.id, accountId: 2, active: false, nowMs });
    });
    return planted;
  },
  async 'a banned colleague'(world) {
    const planted = await plant(world, COLLEAGUE);
    const ban = { roleType: 6, role: 'Account Manager', untilMs: null, reason: null, bannedById: 1 };
    await changeAccess(world.db, { members: [planted.id] }, (tx) =>
      setBan(unsettled(tx), { ...ban, memberId: planted.id, nowMs: world.nowMs() }),
    );
    return planted;
  },
  async 'a removed colleague'(world) {
    const planted = await plant(world, COLLEAGUE);
    const nowMs = world.nowMs();
    await changeAccess(world.db, { members: [planted.id] }, async (tx) => {
      await removeMember(tx, { memberId: planted.id, deletedById: 1, nowMs });
      await endMemberAccess(tx, { memberId: planted.id, nowMs });
    });
    return planted;
  },
};

/** Values that may give a member authority, for the fields that a procedure knows. */
const raising = (id: number): Readonly<Record<string, unknown>> => ({
  memberId: id,
  personnelId: id,
  userId: id,
  id,
  roleType: 0,
  role_type: 0,
  role: 'Admin',
  isPersonnel: true,
  active: true,
  accountIds: [1, 2, 3],
  accountId: 2,
  reason: 'They asked for it',
});

function knownFields({ input }: ListedProcedure, fields: Readonly<Record<string, unknown>>): object {
  const schema = z.toJSONSchema(input ?? z.object({}), { io: 'input', unrepresentable: 'any' });
  const known = Object.keys(schema.properties ?? {});
  return Object.fromEntries(Object.entries(fields).filter(([name]) => known.includes(name)));
}

async function authorityOf({ db, nowMs }: SupportWorld, id: number) {
  const found = await findAccessSnapshot(db, id, nowMs());
  const isStaff = found?.isPersonnel === true && !found.isDeleted && found.roleType !== roles.id.archived;
  return { isStaff, roleType: found?.roleType ?? roles.id.archived, grants: new Set(found?.grants) };
}

/** The earlier ways to sign in as a member that still work. The test expects none. */
async function waysLeft(world: SupportWorld, { id, email, token, connectionId }: Planted): Promise<string[]> {
  const { mailOutbox, members, socialConnections, totpFactors } = world.db.tables;
  const row = (await world.db.select().from(members)).find((member) => member.id === id);
  const connections = await world.db.select().from(socialConnections);
  const factors = await world.db.select().from(totpFactors);
  const mails = await world.db.select().from(mailOutbox);
  const left = {
    session: (await world.statuses({ token })).some((status) => status !== 401),
    password: (await world.signIn(email)) !== undefined,
    auth_token: row?.authTokenDigest !== null,
    'pending address': row?.pendingEmail !== null,
    connection: connections.some((connection) => connection.id === connectionId),
    factor: factors.some(({ memberId }) => memberId === id),
    'no invitation': !mails.some((mail) => mail.kind === 'staffInvitation' && mail.recipient === email),
  };
  return Object.entries(left).flatMap(([name, isLeft]) => (isLeft ? [name] : []));
}

const mutations = listProcedures(router).filter(({ type }) => type === 'mutation');

describe('a member with an unproven address', () => {
  it.each(Object.entries(STATES))(
    'can no longer use an earlier way to sign in after a procedure gives staff authority: %s',
    { timeout: 300_000 },
    async (state, insert) => {
      await using world = await startSupportWorld(WITH_PASSKEYS);
      const raised: string[] = [];
      for (const procedure of mutations) {
        const { name } = procedure;
        const scene = await createAccessScene(
          { service: world.admin, other: world.otherAdmin, db: world.db },
          'root',
          { isConfirmed: true },
        );
        const made = await GUARDED_CALLS[name]?.make(scene);
        const planted = await insert(world);
        const before = await authorityOf(world, planted.id);
        const input = { ...made?.input, ...knownFields(procedure, raising(planted.id)) };
        const as = { token: await scene.caller.signInAgain() };
        const { status } = await world.call(name, input, as);
        expect([name, status]).not.toEqual([name, 500]);
        if (staffAuthorityChange(roles, before, await authorityOf(world, planted.id)) !== 'rise') continue;
        raised.push(name);
        expect([name, await waysLeft(world, planted)]).toEqual([name, []]);
      }
      expect(raised).toEqual(RAISING[state]);
    },
  );

  it('gains no staff authority by their own calls, with or without a session, on either service', {
    timeout: 300_000,
  }, async () => {
    await using world = await startSupportWorld();
    for (const [service, listed] of [
      [world.admin, listProcedures(router)],
      [world.main, MAIN_PROCEDURES],
    ] as const) {
      for (const procedure of listed.filter(({ type }) => type === 'mutation')) {
        const planted = await plant(world);
        const input = knownFields(procedure, raising(planted.id));
        for (const token of [planted.token, ''])
          await world.call(procedure.name, input, { token }, { on: service });
        const { isStaff, roleType, grants } = await authorityOf(world, planted.id);
        expect([procedure.name, isStaff, [0, 1, 6].includes(roleType), [...grants]]).toEqual([
          procedure.name,
          false,
          false,
          [],
        ]);
      }
    }
  });
});

/** The procedures that do give such a member authority, to show that the test reaches them. */
const RAISING: Readonly<Record<string, readonly string[]>> = {
  'a member': ['personnel.promote'],
  'a colleague': ['member.update', 'personnel.save'],
  'a colleague who was switched off': ['personnel.promote', 'personnel.save'],
  'a banned colleague': ['member.unban', 'member.update', 'personnel.save'],
  'a removed colleague': ['member.restore'],
};
