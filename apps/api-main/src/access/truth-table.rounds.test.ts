import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { insertTestMember, printMeasurements, rounds, startService, unsettled } from '@gatehouse/testkit';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from '../app.js';

const dialect = inject('dialect');

const ROLES = [0, 1, 2, 3, 4, 5, 6, 11] as const;

const situation = fc.record({
  membership: fc.constantFrom('none', 'deleted', 'inactive', ...ROLES),
  grant: fc.constantFrom('none', 'live', 'deleted', 'inactive'),
  isPersonnel: fc.boolean(),
  baseRole: fc.constantFrom(...ROLES),
  isDeleted: fc.boolean(),
  account: fc.constantFrom('live', 'live', 'live', 'deleted', 'missing'),
});

type Situation = typeof situation extends fc.Arbitrary<infer Value> ? Value : never;

/** The contract's table, written by hand without imports from the service. */
const TABLE: Record<number, string> = {
  0: 'account.read account.manage member.list member.manage conversation.read subject.remove subscription.read billing.manage social.connect knowledge.analyze event.read event.manage key.manage app.manage sso.manage',
  1: 'account.read account.manage member.list member.manage conversation.read subject.remove subscription.read billing.manage social.connect knowledge.analyze event.read event.manage key.manage app.manage sso.manage',
  2: 'account.read member.list member.manage conversation.read subject.remove social.connect knowledge.analyze event.read',
  3: 'account.read member.list conversation.read social.connect',
  4: 'account.read member.list conversation.read social.connect',
  5: 'account.read social.connect',
  6: 'account.read member.list member.manage conversation.read subject.remove subscription.read social.connect knowledge.analyze',
};

/** The contract's result for a case: 401, 403, or the role whose permissions apply. */
function verdictOf(given: Situation): { status: number; role?: number } {
  if (given.isDeleted || given.baseRole === 11) return { status: 401 };
  if (given.account !== 'live') return { status: 403 };
  if (given.isPersonnel && given.baseRole === 0) return { status: 200, role: 0 };
  if (typeof given.membership === 'number') {
    return given.membership === 11 ? { status: 403 } : { status: 200, role: given.membership };
  }
  if (given.isPersonnel && given.grant === 'live') return { status: 200, role: 6 };
  return { status: 403 };
}

async function insertAccount(db: Database, isDeleted: boolean): Promise<number> {
  const times = { createdAtMs: 1, updatedAtMs: 1 };
  return db.insert(db.tables.accounts, { name: 'Truth', nameKey: 'truth', ownerId: 1, isDeleted, ...times });
}

describe('the right to act in an account', () => {
  it('matches the contract for every membership, grant, staff flag, role and account', {
    timeout: 300_000,
  }, async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const db = service.database;
    const accounts = {
      live: await insertAccount(db, false),
      deleted: await insertAccount(db, true),
      missing: 999_999,
    };
    const numRuns = rounds({ suite: 150, stress: 3_000 });

    await fc.assert(
      fc.asyncProperty(situation, async (given) => {
        const accountId = accounts[given.account];
        const state = (kind: string | number) => ({
          isDeleted: kind === 'deleted',
          active: kind !== 'inactive',
        });
        const { baseRole, isPersonnel, isDeleted } = given;
        const member = await insertTestMember(db, { roleType: baseRole === 11 ? 5 : baseRole, isPersonnel });
        const { memberships, personnelGrants } = db.tables;
        const times = { createdAtMs: 1, updatedAtMs: 1 };
        if (given.membership !== 'none') {
          const roleType = typeof given.membership === 'number' ? given.membership : 1;
          await db.insert(memberships, {
            memberId: member.id,
            accountId,
            roleType,
            ...state(given.membership),
            ...times,
          });
        }
        if (given.grant !== 'none') {
          await db.insert(personnelGrants, {
            personnelId: member.id,
            accountId,
            ...state(given.grant),
            ...times,
          });
        }
        await changeAccess(db, { members: [member.id] }, async (tx) => {
          const change = { memberId: member.id, nowMs: 1 };
          await setMemberRole(unsettled(tx), { ...change, roleType: baseRole, role: 'Truth' });
          if (isDeleted) await removeMember(tx, change);
        });

        const response = await service.send('/auth/me', { token: member.token, accountId });
        const expected = verdictOf(given);
        expect(response.status).toBe(expected.status);
        if (expected.role === undefined) return;
        const { currentAccount } = (await response.json()) as { currentAccount: { permissions: string[] } };
        expect({ ...currentAccount, permissions: currentAccount.permissions.toSorted() }).toMatchObject({
          accountId,
          accountName: 'Truth',
          role: expected.role,
          permissions: TABLE[expected.role]?.split(' ').toSorted(),
        });
      }),
      { numRuns },
    );
    printMeasurements(`who may act in an account (${dialect})`, { situations: numRuns });
  });
});
