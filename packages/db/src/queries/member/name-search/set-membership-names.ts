import { eq } from 'drizzle-orm';
import type { Database } from '../../../database.js';

/** Writes the name of a member beside each of their memberships, where the index over an account's members has it. */
export async function setMembershipNames(tx: Database, memberId: number, name: string | null): Promise<void> {
  const { memberships } = tx.tables;
  await tx.write(tx.update(memberships).set({ name }).where(eq(memberships.memberId, memberId)));
}
