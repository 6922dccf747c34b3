import { searchKey } from '@gatehouse/auth-core';
import { type Database, indexMemberNames } from '@gatehouse/db';
import type { LoadPlan } from './load-plan.js';

/** The id of the staff member a load adds to its members. */
export function staffId(plan: LoadPlan): number {
  return plan.firstMemberId + plan.members;
}

/** Writes one staff member with grants spread over the load, including the largest account. */
export async function writeStaff(
  db: Database,
  plan: LoadPlan,
  { nowMs, passwordHash }: { nowMs: number; passwordHash: string },
): Promise<void> {
  const id = staffId(plan);
  const name = `load.staff${id}`;
  const email = `${name}@load.test`;
  const written = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const step = Math.floor(plan.accounts / plan.grants);
  await db.transaction(async (tx) => {
    await tx.insert(tx.tables.members, {
      id,
      sid: email,
      sidKey: email,
      username: name,
      usernameKey: name,
      firstName: 'Load',
      firstNameKey: searchKey('Load'),
      lastName: 'Staff',
      lastNameKey: searchKey('Staff'),
      email,
      emailKey: email,
      emailConfirmedAtMs: nowMs,
      ownerProvenAtMs: nowMs,
      isCounted: true,
      password: passwordHash,
      roleType: 6,
      role: 'Account Manager',
      isPersonnel: true,
      ...written,
    });
    await tx.insertMany(
      tx.tables.personnelGrants,
      Array.from({ length: plan.grants }, (_, grant) => ({
        personnelId: id,
        accountId: plan.firstAccountId + grant * step,
        ...written,
      })),
    );
    await indexMemberNames(tx, [id]);
  });
}
