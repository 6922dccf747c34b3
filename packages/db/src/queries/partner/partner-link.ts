import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessTransaction } from '../access/access-transaction.js';

type Link = { partnerId: number; memberId: number };

/** Whether a partner may sign a member on: they are linked, and the link is not held. */
export async function hasPartnerLink(db: Database, link: Link): Promise<boolean> {
  const { partnerMembers } = db.tables;
  const [row] = await db
    .select({ id: partnerMembers.id })
    .from(partnerMembers)
    .where(and(isLink(db, link), isNull(partnerMembers.heldSinceMs)));
  return row !== undefined;
}

/**
 * Ends the link of a partner and a member, and every session that the partner began.
 * @param isHeld only a link that is held
 * @returns whether there was such a link
 */
export async function endPartnerLink(
  tx: AccessTransaction,
  link: Link & { isHeld?: boolean; nowMs: number },
): Promise<boolean> {
  const { partnerMembers, sessions } = tx.tables;
  const { partnerId, memberId, isHeld = false, nowMs } = link;
  const which = and(isLink(tx, link), isHeld ? isNotNull(partnerMembers.heldSinceMs) : undefined);
  if ((await tx.write(tx.delete(partnerMembers).where(which))) === 0) return false;
  await tx.write(
    tx
      .update(sessions)
      .set({ endedAtMs: nowMs })
      .where(
        and(eq(sessions.memberId, memberId), eq(sessions.partnerId, partnerId), isNull(sessions.endedAtMs)),
      ),
  );
  return true;
}

/** Lets a partner sign a member on again, whose link is held. False if there is no such link. */
export async function releasePartnerLink(tx: AccessTransaction, link: Link): Promise<boolean> {
  const { partnerMembers } = tx.tables;
  const held = and(isLink(tx, link), isNotNull(partnerMembers.heldSinceMs));
  return (await tx.write(tx.update(partnerMembers).set({ heldSinceMs: null }).where(held))) === 1;
}

function isLink({ tables: { partnerMembers } }: Database, { partnerId, memberId }: Link) {
  return and(eq(partnerMembers.partnerId, partnerId), eq(partnerMembers.memberId, memberId));
}
