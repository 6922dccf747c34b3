import type { AccessReader } from '../access/access-reader.js';
import type { MemberSnapshot } from '../access/member-snapshot.js';

/** Stands for the partner of a login token that names none, as the replaced system's do: it created no account. */
export const UNNAMED_PARTNER = 0;

/**
 * What a member is in a session that a partner's sign-on began: until the member consents to more, somebody who
 * belongs only to the accounts that partner created. Undefined when the session is over: the partner was deactivated
 * since it began, or the member has become staff, whom no partner signs on.
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
