import { unsettled } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { createDemonstration } from '../test/test-databases.js';
import { changeAccess } from './change-access.js';
import { findAccessSnapshot } from './find-access-snapshot.js';
import { findMembership, removeMembership } from './memberships.js';
import { endMemberAccess, removeMember } from './remove-member.js';
import { restoreMember } from './restore-member.js';
import { listReturningPlaces, removeReturningPlace, suspendReturningPlaces } from './returning-places.js';

const MEMBER = 2;

/** Removes a member from one of their accounts, and then deletes them. */
async function deleteMember(db: Database): Promise<void> {
  await changeAccess(db, { members: [MEMBER] }, async (tx) => {
    const times = { createdAtMs: 1, updatedAtMs: 1 };
    await tx.insertMany(tx.tables.memberships, [
      { memberId: MEMBER, accountId: 1, roleType: 3, ...times },
      { memberId: MEMBER, accountId: 2, roleType: 5, ...times },
      { memberId: MEMBER, accountId: 3, roleType: 5, ...times },
    ]);
    // At the same millisecond as the deletion, so that times cannot tell them apart.
    await removeMembership(tx, { memberId: MEMBER, accountId: 3, nowMs: 100 });
    await endMemberAccess(tx, { memberId: MEMBER, nowMs: 100 });
    await removeMember(tx, { memberId: MEMBER, nowMs: 100 });
  });
}

describe('restoring a member', () => {
  it('restores what the deletion ended, and not what had ended before it', async () => {
    await using test = await createDemonstration(inject('dialect'));
    const { database: db } = test;
    await deleteMember(db);
    const restore = (removedSinceMs: number | undefined) =>
      changeAccess(db, { members: [MEMBER] }, (tx) =>
        restoreMember(unsettled(tx), {
          memberId: MEMBER,
          nowMs: 200,
          ...(removedSinceMs === undefined ? {} : { removedSinceMs }),
        }),
      );
    expect(await restore(undefined)).toBe(false);
    expect(await restore(100)).toBe(false);
    expect(await restore(99)).toBe(true);
    expect(await restore(99)).toBe(false);
    expect(await findAccessSnapshot(db, MEMBER, 200)).toMatchObject({
      isDeleted: false,
      memberships: [
        { accountId: 1, roleType: 3 },
        { accountId: 2, roleType: 5 },
      ],
      grants: [2],
    });
  });

  it('does not restore memberships that were removed meanwhile, and restores suspended ones without access', async () => {
    await using test = await createDemonstration(inject('dialect'));
    const { database: db } = test;
    await deleteMember(db);
    const accountsOf = async () => (await listReturningPlaces(db, MEMBER)).map(({ accountId }) => accountId);
    expect(await accountsOf()).toEqual([1, 2]);
    await changeAccess(db, { members: [MEMBER] }, async (tx) => {
      await suspendReturningPlaces(tx, { accountId: 1 });
      await removeReturningPlace(tx, { memberId: MEMBER, accountId: 2, nowMs: 150 });
      expect(await restoreMember(unsettled(tx), { memberId: MEMBER, removedSinceMs: 99, nowMs: 200 })).toBe(
        true,
      );
    });
    expect(await accountsOf()).toEqual([]);
    expect(await findMembership(db, { memberId: MEMBER, accountId: 1 })).toMatchObject({
      active: false,
      awaitsOwner: true,
    });
    expect(await findMembership(db, { memberId: MEMBER, accountId: 2 })).toBeUndefined();
  });
});
