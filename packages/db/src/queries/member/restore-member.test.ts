import { unsettled } from '@gatehouse/testkit';
import { and, eq } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import {
  changeAccess,
  findAccessSnapshot,
  removeMember,
  removeMembership,
  restoreMember,
} from '../../index.js';
import { createDemonstration } from '../../test/create-demonstration.js';

const MEMBER = 2;

describe('restoring a member', () => {
  it('returns what the release before ended without marking it: what ended at the moment of the deletion', async () => {
    await using test = await createDemonstration(inject('dialect'));
    const { database: db } = test;
    await changeAccess(db, { members: [MEMBER] }, async (tx) => {
      const { memberships, personnelGrants } = tx.tables;
      const times = { createdAtMs: 1, updatedAtMs: 1 };
      await tx.insertMany(memberships, [
        { memberId: MEMBER, accountId: 1, roleType: 3, ...times },
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
      memberships: [{ accountId: 1, roleType: 3 }],
      grants: [2],
    });
  });
});
