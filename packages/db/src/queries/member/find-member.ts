import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { Tables } from '../../tables/define-tables.js';
import type { Locale, PendingAwaits } from '../../tables/members.js';
import { type MemberRow, memberColumns } from '../access/member-columns.js';
import { prepareRead } from '../prepared.js';

/** A member as they see themselves. */
export interface MemberDetail extends MemberRow {
  pendingEmail: string | null;
  /** If it is null with a pending address, only the new mailbox must still confirm. */
  pendingAwaits: PendingAwaits | null;
  hasPassword: boolean;
  /** When a sign-in showed that the password is one of those tried first. */
  passwordListedAtMs: number | null;
  locale: Locale;
}

/** The columns of a `MemberDetail`. */
export function memberDetailColumns(tables: Tables) {
  const { pendingEmail, pendingAwaits, hasPassword, passwordListedAtMs, locale } = tables.members;
  return { ...memberColumns(tables), pendingEmail, pendingAwaits, hasPassword, passwordListedAtMs, locale };
}

const prepared = prepareRead((db) =>
  db
    .select(memberDetailColumns(db.tables))
    .from(db.tables.members)
    .where(eq(db.tables.members.id, sql.placeholder('memberId'))),
);

/** A member by id, deleted ones included. */
export async function findMember(db: Database, memberId: number): Promise<MemberDetail | undefined> {
  const [row] = await prepared(db, { memberId });
  return row;
}
