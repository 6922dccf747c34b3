import { unsettled } from '@gatehouse/testkit';
import { and, eq } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { createDemonstration } from '../test/test-databases.js';
import { changeAccess } from './change-access.js';
import { findAccessSnapshot } from './find-access-snapshot.js';
import { findMembership, removeMembership } from './memberships.js';
import { removeMember } from './remove-member.js';
import { restoreMember } from './restore-member.js';
import { listReturningPlaces, removeReturningPlace, suspendReturningPlaces } from './returning-places.js';

const MEMBER = 2;

/** Removes a member from an account, and then deletes them like the release before, which marks no membership. */
async function removeUnmarked(db: Database): Promise<void> {
  await changeAccess(db, { members: [MEMBER] }, async (tx) => {
    const { memberships, personnelGrants } = tx.tables;
    const times = { createdAtMs: 1, updatedAtMs: 1 };
    await tx.insertMany(memberships, [
      { memberId: MEMBER, accountId: 1, roleType: 3, ...times },
      { memberId: MEMBER, accountId: 2, roleType: 5, ...times },
      { memberId: MEMBER, accountId: 3, roleType: 5, ...times },
    ]);
    await removeMembership(tx, { memberId: MEMBER, accountId: 3, nowMs: 50 });
    await removeMember(tx, { memberId: MEMBER, nowMs: 100 });
    const gone = { isDeleted: true, updatedAtMs: 100 };
    await tx.write(
      tx
        .update(memberships)
        .set(gone)
        .where(and(eq(memberships.memberId, MEMBER), eq(memberships.isDeleted, false))),
    );
    await tx.write(tx.update(personnelGrants).set(gone).where(eq(personnelGrants.personnelId, MEMBER)));
  });
}

describe('restoring a member', () => {
  it('restores what the previous release ended without a mark: whatever ended at the moment of the deletion', async () => {
    await using test = await createDemonstration(inject('dialect'));
    const { database: db } = test;
    await removeUnmarked(db);
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
    await removeUnmarked(db);
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
