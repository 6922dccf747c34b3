import { and, asc, eq, gt, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { ARCHIVED, baseRole, isActiveMember } from './member-columns.js';
import { isLiveMembership } from './memberships.js';
import { countUpTo } from './paging.js';
import { prepareRead } from './prepared.js';
import { recordSessionEnds, type SessionEnd } from './session-events.js';

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

/** A member who may be linked to a partner, by id or address key: neither deleted nor staff. */
export async function findLinkableMember(
  db: Database,
  member: { readonly id: number } | { readonly emailKey: string },
): Promise<{ id: number } | undefined> {
  const { members } = db.tables;
  const isNamed = 'id' in member ? eq(members.id, member.id) : eq(members.emailKey, member.emailKey);
  const [row] = await db
    .select({ id: members.id })
    .from(members)
    .where(and(isNamed, eq(members.isDeleted, false), eq(members.isPersonnel, false)));
  return row;
}

/** Links a member to a partner, which may then sign them on. False when they are already linked. */
export async function insertPartnerMember(
  tx: Database,
  { partnerId, memberId, nowMs }: { partnerId: number; memberId: number; nowMs: number },
): Promise<boolean> {
  return tx.insertOnce(tx.tables.partnerMembers, { partnerId, memberId, linkedAtMs: nowMs });
}

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
  link: Link & { isHeld?: boolean } & Omit<SessionEnd, 'reason'>,
): Promise<boolean> {
  const { partnerMembers, sessions } = tx.tables;
  const { partnerId, memberId, isHeld = false, endedById, nowMs } = link;
  const which = and(isLink(tx, link), isHeld ? isNotNull(partnerMembers.heldSinceMs) : undefined);
  if ((await tx.write(tx.delete(partnerMembers).where(which))) === 0) return false;
  const isEnding = and(
    eq(sessions.memberId, memberId),
    eq(sessions.partnerId, partnerId),
    isNull(sessions.endedAtMs),
  );
  await recordSessionEnds(tx, isEnding, { reason: 'partner_ended', endedById, nowMs });
  await tx.write(tx.update(sessions).set({ endedAtMs: nowMs }).where(isEnding));
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

/**
 * Lets a partner's sign-on reach every account of a member, or only those the partner created. False if the
 * member is not linked, or the link is held. A repeated consent does not change its date.
 */
export async function setPartnerConsent(
  tx: AccessTransaction,
  change: { memberId: number; partnerId: number; consents: boolean; nowMs: number },
): Promise<boolean> {
  const { partnerMembers } = tx.tables;
  const { memberId, partnerId, consents, nowMs } = change;
  const rows = await tx.write(
    tx
      .update(partnerMembers)
      .set({ consentedAtMs: consents ? sql`coalesce(${partnerMembers.consentedAtMs}, ${nowMs})` : null })
      .where(
        and(
          eq(partnerMembers.memberId, memberId),
          eq(partnerMembers.partnerId, partnerId),
          isNull(partnerMembers.heldSinceMs),
        ),
      ),
  );
  return rows === 1;
}

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
  return only === undefined
    ? preparedPartners(db, page)
    : selectPartnersOfMember(db, only).prepare().execute(page);
}

const preparedPartners = prepareRead(selectPartnersOfMember);

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

/** How many there are, at most `MAX_COUNTED`. */
export function countPartnersOfMember(db: Database, memberId: number): Promise<number> {
  const { partnerMembers } = db.tables;
  return countUpTo(db, partnerMembers, eq(partnerMembers.memberId, memberId));
}

/**
 * The accounts a partner's sign-on may reach, lowest first: the member's live memberships in accounts the
 * partner created, or in any account with `all`.
 */
export async function listPartnerAccountIds(
  db: Database,
  { memberId, partnerId, all, limit }: { memberId: number; partnerId: number; all: boolean; limit: number },
): Promise<number[]> {
  const { accounts, memberships } = db.tables;
  const rows = await db
    .select({ id: accounts.id })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        isLiveMembership(db.tables, memberId),
        ne(memberships.roleType, ARCHIVED),
        all ? undefined : eq(accounts.createdByPartnerId, partnerId),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
