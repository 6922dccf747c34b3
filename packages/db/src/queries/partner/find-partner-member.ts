import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { baseRole } from '../access/ban-columns.js';
import { isActiveMember } from '../access/is-active-member.js';

/** A member whom a partner may sign on. */
export interface PartnerMember {
  id: number;
  roleType: number;
  defaultPaymentId: number;
  consentedAtMs: number | null;
  sessionEpoch: number;
}

/**
 * A member this partner may sign on, by id, by address, or both: linked to it by a link that is not held, and not staff,
 * deleted or banned. Every other member is treated as absent.
 */
export async function findPartnerMember(
  db: Database,
  partnerId: number,
  member: { id?: number | undefined; emailKey?: string | undefined; nowMs: number },
): Promise<PartnerMember | undefined> {
  const { members, partnerMembers } = db.tables;
  if (member.id === undefined && member.emailKey === undefined) return undefined;
  const { id, defaultPaymentId, sessionEpoch } = members;
  const [row] = await db
    .select({
      id,
      roleType: baseRole(db.tables),
      defaultPaymentId,
      consentedAtMs: partnerMembers.consentedAtMs,
      sessionEpoch,
    })
    .from(members)
    .innerJoin(partnerMembers, and(eq(partnerMembers.memberId, id), eq(partnerMembers.partnerId, partnerId)))
    .where(
      and(
        member.id === undefined ? undefined : eq(id, member.id),
        member.emailKey === undefined ? undefined : eq(members.emailKey, member.emailKey),
        isNull(partnerMembers.heldSinceMs),
        eq(members.isPersonnel, false),
        isActiveMember(db.tables, member.nowMs),
      ),
    );
  return row;
}
