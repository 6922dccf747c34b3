import { eq } from 'drizzle-orm';
import type { Database } from '../../../database.js';

/** Writes a member's name into each of their memberships, for the index over an account's members. */
export async function setMembershipNames(tx: Database, memberId: number, name: string | null): Promise<void> {
  const { memberships } = tx.tables;
  await tx.write(tx.update(memberships).set({ name }).where(eq(memberships.memberId, memberId)));
}
