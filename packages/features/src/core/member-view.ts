import { MAX_FOREIGN_IDS } from '@gatehouse/db/queries/foreign-ids';
import { ARCHIVED, ARCHIVED_LABEL, isBanned, type ListedMember } from '@gatehouse/db/queries/member-columns';
import type { MemberDetail } from '@gatehouse/db/queries/read-members';
import type { Locale } from '@gatehouse/db/tables/member-tables';
import { z } from 'zod';

/** The languages of our mails. The first is the default. */
export const LOCALES = ['en', 'de'] as const satisfies readonly Locale[];

/**
 * A member in the answer of every endpoint. Other fields (hashes, one-time passwords, provider tokens) are
 * not in the schema, so they cannot be in an answer.
 */
export const memberView = z
  .object({
    id: z.int(),
    sid: z.string(),
    username: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string().nullable(),
    /** The base role; 11 while they are banned. */
    role_type: z.int(),
    /** Its label; that of 11 while they are banned. */
    role: z.string(),
    emailVerified: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Member' });

/** The ids of a member in the systems that members were imported from: the first fifty. */
export const foreignIdsView = z.array(z.object({ source: z.string(), id: z.string() })).max(MAX_FOREIGN_IDS);

/** A member as they see themselves. */
export const ownMemberView = memberView
  .extend({
    /** The address that is to replace the current one. */
    pendingEmail: z.string().nullable(),
    /** The mailboxes that have not agreed to it yet. */
    awaits: z.array(z.enum(['old', 'new'])),
    /** False for a member who came through a provider or partner and has not set a password since. */
    hasPassword: z.boolean(),
    /** The language of their mails. */
    locale: z.enum(LOCALES),
  })
  .meta({ id: 'OwnMember' });

/** A member as shown to staff who change them. */
export const changedMemberView = memberView
  .extend({
    /** The address that is to replace the current one. */
    pendingEmail: z.string().nullable(),
  })
  .meta({ id: 'ChangedMember' });

type MemberView = z.output<typeof memberView>;

export function toMemberView(row: ListedMember, nowMs: number): MemberView {
  const isOut = isBanned(row, nowMs);
  return {
    id: row.id,
    sid: row.sid,
    username: row.username,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    role_type: isOut ? ARCHIVED : row.roleType,
    role: isOut ? ARCHIVED_LABEL : row.role,
    emailVerified: row.emailConfirmedAtMs !== null,
    createdAt: new Date(row.createdAtMs).toISOString(),
  };
}

export function toChangedMemberView(row: MemberDetail, nowMs: number): z.output<typeof changedMemberView> {
  return { pendingEmail: row.pendingEmail, ...toMemberView(row, nowMs) };
}

export function toOwnMemberView(row: MemberDetail, nowMs: number): z.output<typeof ownMemberView> {
  const { pendingEmail, hasPassword, locale } = row;
  return { pendingEmail, awaits: awaitedEnds(row), hasPassword, locale, ...toMemberView(row, nowMs) };
}

/** The mailboxes that must still agree to a change of address. */
export function awaitedEnds({
  pendingEmail,
  pendingAwaits,
}: Pick<MemberDetail, 'pendingEmail' | 'pendingAwaits'>): ('old' | 'new')[] {
  if (pendingEmail === null) return [];
  switch (pendingAwaits) {
    case 'both':
      return ['old', 'new'];
    case 'old':
    case 'proven':
      return ['old'];
    case 'new':
    case null:
      return ['new'];
  }
}

/** A person's display name: their names, or else the username. */
export function personName(person: {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}): string {
  return [person.firstName, person.lastName].join(' ').trim() || person.username;
}

/** An address as shown to people who may not know it: `o***@acme.test`. */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return `${first}***${email.slice(at)}`;
}
