import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Removes every provider's profile a member can sign in with; returns how many there were. */
export async function removeMemberConnections(tx: Database, memberId: number): Promise<number> {
  const { socialConnections } = tx.tables;
  return tx.write(tx.delete(socialConnections).where(eq(socialConnections.memberId, memberId)));
}
