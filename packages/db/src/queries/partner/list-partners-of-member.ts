import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { countUpTo } from '../page/count-up-to.js';
import { prepareRead } from '../prepared.js';

/** A partner that may sign a member on, as the member sees it. */
export interface PartnerOfMember {
  partnerId: number;
  name: string;
  appUrl: string;
  isActive: boolean;
  linkedAtMs: number;
  consentedAtMs: number | null;
  /** Since when the link is held, if it is. */
  heldSinceMs: number | null;
}

/** The partners of a member, or only the given one, by ascending number; `afterId` pages on. */
export async function listPartnersOfMember(
  db: Database,
  memberId: number,
  { afterId, limit, only }: { afterId: number; limit: number; only?: number | undefined },
): Promise<PartnerOfMember[]> {
  const page = { memberId, afterId, limit };
  return only === undefined ? prepared(db, page) : selectPartnersOfMember(db, only).prepare().execute(page);
}

const prepared = prepareRead(selectPartnersOfMember);

/** The select of a page of the partners of a member. */
export function selectPartnersOfMember(db: Database, only?: number) {
  const { partners, partnerMembers } = db.tables;
  const { name, appUrl, isActive } = partners;
  const { partnerId, linkedAtMs, consentedAtMs, heldSinceMs } = partnerMembers;
  return db
    .select({ partnerId, name, appUrl, isActive, linkedAtMs, consentedAtMs, heldSinceMs })
    .from(partnerMembers)
    .innerJoin(partners, eq(partners.id, partnerId))
    .where(
      and(
        eq(partnerMembers.memberId, sql.placeholder('memberId')),
        gt(partnerId, sql.placeholder('afterId')),
        only === undefined ? undefined : eq(partnerId, only),
      ),
    )
    .orderBy(asc(partnerId))
    .limit(sql.placeholder('limit'));
}

/** The partners of a member whose links are held, by ascending number. */
export async function listHeldPartners(
  db: Database,
  { memberId, limit }: { memberId: number; limit: number },
): Promise<PartnerOfMember[]> {
  const { partners, partnerMembers } = db.tables;
  const { name, appUrl, isActive } = partners;
  const { partnerId, linkedAtMs, consentedAtMs, heldSinceMs } = partnerMembers;
  return db
    .select({ partnerId, name, appUrl, isActive, linkedAtMs, consentedAtMs, heldSinceMs })
    .from(partnerMembers)
    .innerJoin(partners, eq(partners.id, partnerId))
    .where(and(eq(partnerMembers.memberId, memberId), isNotNull(heldSinceMs)))
    .orderBy(asc(partnerId))
    .limit(limit);
}

/** How many there are, at most `MOST_COUNTED`. */
export function countPartnersOfMember(db: Database, memberId: number): Promise<number> {
  const { partnerMembers } = db.tables;
  return countUpTo(db, partnerMembers, eq(partnerMembers.memberId, memberId));
}
