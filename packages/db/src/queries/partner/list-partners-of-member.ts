import { and, asc, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A partner that may sign a member on, as the member sees it. */
export interface PartnerOfMember {
  partnerId: number;
  name: string;
  appUrl: string;
  isActive: boolean;
  linkedAtMs: number;
  consentedAtMs: number | null;
}

/** The partners of a member, or only the given one, by ascending number; `afterId` pages on. */
export async function listPartnersOfMember(
  db: Database,
  memberId: number,
  { afterId, limit, only }: { afterId: number; limit: number; only?: number | undefined },
): Promise<PartnerOfMember[]> {
  const { partners, partnerMembers } = db.tables;
  const { name, appUrl, isActive } = partners;
  const { partnerId, linkedAtMs, consentedAtMs } = partnerMembers;
  return db
    .select({ partnerId, name, appUrl, isActive, linkedAtMs, consentedAtMs })
    .from(partnerMembers)
    .innerJoin(partners, eq(partners.id, partnerId))
    .where(
      and(
        eq(partnerMembers.memberId, memberId),
        gt(partnerId, afterId),
        only === undefined ? undefined : eq(partnerId, only),
      ),
    )
    .orderBy(asc(partnerId))
    .limit(limit);
}
