import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isOfFamily } from '../access/is-of-family.js';
import { findFamilyId } from './find-family-id.js';

/** Names a member's session, with its whole family. False when the member has no such open session. */
export async function renameSession(
  tx: AccessTransaction,
  { memberId, sessionId, name }: { memberId: number; sessionId: number; name: string },
): Promise<boolean> {
  const { members, sessions } = tx.tables;
  const familyId = await findFamilyId(tx, { memberId, sessionId });
  const [member] = await tx
    .select({ epoch: members.sessionEpoch })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined) return false;
  const isOpen = and(
    eq(sessions.memberId, memberId),
    eq(sessions.epoch, member.epoch),
    isOfFamily(tx.tables, familyId),
    isNull(sessions.endedAtMs),
  );
  const rows = await tx.select({ id: sessions.id }).from(sessions).where(isOpen);
  if (rows.length === 0) return false;
  await tx.write(tx.update(sessions).set({ deviceName: name }).where(isOpen));
  return true;
}
