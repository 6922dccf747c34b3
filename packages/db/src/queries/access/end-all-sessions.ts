import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AccessTransaction } from './access-transaction.js';

/**
 * Ends every session of a member, and every token issued so far that has no session row: the member's epoch moves on,
 * and the session named, if any, moves on with it.
 */
export async function endAllSessions(
  tx: AccessTransaction,
  memberId: number,
  { nowMs, exceptTokenKey }: { nowMs: number; exceptTokenKey?: string },
): Promise<void> {
  const { members, sessions } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({ sessionEpoch: sql`${members.sessionEpoch} + 1`, tokensValidAfterMs: nowMs, updatedAtMs: nowMs })
      .where(eq(members.id, memberId)),
  );
  if (exceptTokenKey === undefined) return;
  const [member] = await tx.select({ epoch: members.sessionEpoch }).from(members).where(eq(members.id, memberId));
  if (member === undefined) return;
  await tx.write(
    tx
      .update(sessions)
      .set({ epoch: member.epoch })
      .where(
        and(
          eq(sessions.tokenKey, exceptTokenKey),
          eq(sessions.memberId, memberId),
          eq(sessions.epoch, member.epoch - 1),
          isNull(sessions.endedAtMs),
        ),
      ),
  );
}
