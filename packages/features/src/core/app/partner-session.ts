import { type Database, hasPartnerLink } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import type { MemberSnapshot } from '../access/member-snapshot.js';

/** The partner of a login token that names none, as in the replaced system. It has created no account. */
export const UNNAMED_PARTNER = 0;

/**
 * Whether a login token of a partner may begin a session: the member has not ended the link since, and it is not held. A
 * session that has begun ends with the link.
 */
export async function mayPartnerSignOn(
  db: Database,
  link: { readonly partnerId: number; readonly memberId: number },
): Promise<boolean> {
  return link.partnerId === UNNAMED_PARTNER || hasPartnerLink(db, link);
}

/**
 * A member's rights in a session begun by a partner: until they consent to more, only the accounts that partner
 * created. Undefined when the session has ended: the partner was deactivated, or the member has become staff,
 * whom partners cannot sign on.
 */
export async function memberInPartnerSession(
  access: AccessReader,
  member: MemberSnapshot,
  session: { readonly partnerId: number; readonly issuedAtMs: number },
): Promise<MemberSnapshot | undefined> {
  const { partnerId, issuedAtMs } = session;
  if (member.isPersonnel) return undefined;
  if (partnerId !== UNNAMED_PARTNER) {
    const partner = await access.partner(partnerId);
    if (!partner?.isActive || issuedAtMs <= partner.tokensValidAfterMs) return undefined;
  }
  if (member.consentedPartners.has(partnerId)) return member;
  const accounts = await access.accounts([...member.memberships.keys()]);
  const isPartners = ([accountId]: [number, number]) =>
    accounts.get(accountId)?.createdByPartnerId === partnerId;
  return { ...member, memberships: new Map([...member.memberships].filter(isPartners)), grants: new Set() };
}
