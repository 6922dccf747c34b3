import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  lt,
  lte,
  max,
  min,
  ne,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { Locale } from '../tables/member-tables.js';
import type { MailState } from '../tables/operation-tables.js';
import { isMemberInAccounts, type MemberScope, membersInScope } from './member-scope.js';
import { selectCountUpTo } from './paging.js';
import { type Found, searchInPortions } from './search-in-portions.js';
import { matchPeople, type PeopleSearch } from './search-people.js';

/** A stored mail. `subject`, `text` and `html` are encrypted, and empty once they are no longer needed. */
export interface MailRow {
  id: number;
  idempotencyKey: string;
  kind: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  state: MailState;
  attempts: number;
  dueAtMs: number;
  lastError: string | null;
  createdAtMs: number;
  sentAtMs: number | null;
}

/** The columns of a `MailRow`. */
export function mailColumns({ mailOutbox }: Tables) {
  const { id, idempotencyKey, kind, recipient, subject, text, html } = mailOutbox;
  const { state, attempts, dueAtMs, lastError, createdAtMs, sentAtMs } = mailOutbox;
  return {
    id,
    idempotencyKey,
    kind,
    recipient,
    subject,
    text,
    html,
    state,
    attempts,
    dueAtMs,
    lastError,
    createdAtMs,
    sentAtMs,
  };
}

/** A mail by id, except `void` ones, which are never delivered. */
export async function findMail(db: Database, mailId: number): Promise<MailRow | undefined> {
  const { mailOutbox } = db.tables;
  const [row] = await db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(and(eq(mailOutbox.id, mailId), ne(mailOutbox.state, 'void')));
  return row;
}

/** A mail without its text. */
export interface ListedMail {
  id: number;
  /** Null for mails to an address without a member. */
  memberId: number | null;
  kind: string;
  recipient: string;
  state: MailState;
  attempts: number;
  dueAtMs: number;
  lastError: string | null;
  createdAtMs: number;
  sentAtMs: number | null;
}

/** A filter for mails. A missing part restricts nothing. */
interface MailFilter {
  /** Mails to members of these accounts; all mails if that is all. */
  scope: MemberScope;
  memberId?: number | undefined;
  state?: MailState | undefined;
  kind?: string | undefined;
}

/** The mails that match a filter, newest first, except `void` ones, which are never delivered; `beforeId` pages on. */
export async function listMails(
  db: Database,
  filter: MailFilter,
  { limit, beforeId }: { limit: number; beforeId?: number | undefined },
): Promise<ListedMail[]> {
  const { id } = db.tables.mailOutbox;
  if (!filter.scope.all && filter.scope.accountIds.length === 0) return [];
  return listed(db)
    .where(and(matches(db, filter), beforeId === undefined ? undefined : lt(id, beforeId)))
    .orderBy(desc(id))
    .limit(limit);
}

/**
 * `listMails` for the mails to members that a search matches, deleted ones too. No index finds them: it reads one portion of the
 * mails at a time.
 */
export function searchMails(
  db: Database,
  filter: MailFilter,
  search: PeopleSearch,
  { limit, beforeId, deadlineMs }: { limit: number; beforeId?: number | undefined; deadlineMs: number },
): Promise<Found<ListedMail>> {
  const { mailOutbox, members } = db.tables;
  const { id, memberId } = mailOutbox;
  // The members of the accounts may be many: reading them all for every portion would take longer than the portion.
  const { scope, ...others } = filter;
  const isSought = and(
    matches(db, { ...others, scope: { all: true } }),
    scope.all ? undefined : isMemberInAccounts(db, memberId, scope.accountIds),
    matchPeople(db, search),
  );
  const page = { after: beforeId ?? Number.MAX_SAFE_INTEGER, limit, deadlineMs };
  return searchInPortions(db, page, async (before, size, wanted) => {
    const [last] = await db
      .select({ id: max(id) })
      .from(mailOutbox)
      .where(lt(id, before));
    if (typeof last?.id !== 'number') return { rows: [], lastKey: undefined };
    const lastKey = last.id - size + 1;
    const isInPortion = and(lte(id, last.id), gte(id, lastKey));
    const rows = await listed(db)
      .innerJoin(members, eq(members.id, memberId))
      .where(and(isInPortion, isSought))
      .orderBy(desc(id))
      .limit(wanted);
    return { rows, lastKey };
  });
}

/** The select of the newest mails to a member. */
export function selectMailsOfMember(db: Database) {
  const { id, memberId, state } = db.tables.mailOutbox;
  return listed(db)
    .where(and(eq(memberId, sql.placeholder('memberId')), ne(state, 'void')))
    .orderBy(desc(id))
    .limit(sql.placeholder('limit'));
}

/** The query for the number, at most `MAX_COUNTED`. */
export function selectMailCountOfMember(db: Database) {
  const { memberId, state } = db.tables.mailOutbox;
  const isTheirs = and(eq(memberId, sql.placeholder('memberId')), ne(state, 'void'));
  return selectCountUpTo(db, db.tables.mailOutbox, isTheirs);
}

/** A mail without its text, except `void` ones. */
export async function findListedMail(db: Database, mailId: number): Promise<ListedMail | undefined> {
  const { id, state } = db.tables.mailOutbox;
  const [row] = await listed(db).where(and(eq(id, mailId), ne(state, 'void')));
  return row;
}

function listed(db: Database) {
  const { mailOutbox } = db.tables;
  const { id, memberId, kind, recipient, state } = mailOutbox;
  const { attempts, dueAtMs, lastError, createdAtMs, sentAtMs } = mailOutbox;
  return db
    .select({ id, memberId, kind, recipient, state, attempts, dueAtMs, lastError, createdAtMs, sentAtMs })
    .from(mailOutbox);
}

function matches(db: Database, { scope, memberId, state, kind }: MailFilter): SQL | undefined {
  const { mailOutbox } = db.tables;
  return and(
    memberId === undefined ? undefined : eq(mailOutbox.memberId, memberId),
    state === undefined ? ne(mailOutbox.state, 'void') : eq(mailOutbox.state, state),
    kind === undefined ? undefined : eq(mailOutbox.kind, kind),
    scope.all ? undefined : inArray(mailOutbox.memberId, membersInScope(db, scope.accountIds)),
  );
}

/** The latest mails that were or will be delivered, newest first. */
export async function listNewestMails(db: Database, limit: number): Promise<MailRow[]> {
  const { mailOutbox } = db.tables;
  return db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(notInArray(mailOutbox.state, ['held', 'void']))
    .orderBy(desc(mailOutbox.createdAtMs), desc(mailOutbox.id))
    .limit(limit);
}

/** Mails still to be delivered, next due first. */
export async function listWaitingMails(db: Database, limit: number): Promise<MailRow[]> {
  const { mailOutbox } = db.tables;
  return db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(eq(mailOutbox.state, 'pending'))
    .orderBy(asc(mailOutbox.dueAtMs))
    .limit(limit);
}

/** Mails that expired or were refused, oldest first. */
export async function listDeadMails(db: Database, limit: number): Promise<MailRow[]> {
  const { mailOutbox } = db.tables;
  return db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(eq(mailOutbox.state, 'dead'))
    .orderBy(asc(mailOutbox.dueAtMs))
    .limit(limit);
}

/** Mails waiting after a failed attempt: how many, the time of the oldest, and the newest one's failure. */
export async function findMailTrouble(
  db: Database,
): Promise<{ waiting: number; oldestCreatedAtMs: number; lastError: string } | undefined> {
  const { mailOutbox } = db.tables;
  const { id, state, lastError, createdAtMs } = mailOutbox;
  const wereTried = and(eq(state, 'pending'), isNotNull(lastError));
  const [newest] = await db
    .select({ lastError })
    .from(mailOutbox)
    .where(wereTried)
    .orderBy(desc(id))
    .limit(1);
  if (newest === undefined) return undefined;
  const [row] = await db
    .select({ waiting: count(), oldest: min(createdAtMs) })
    .from(mailOutbox)
    .where(wereTried);
  return {
    waiting: row?.waiting ?? 0,
    oldestCreatedAtMs: row?.oldest ?? 0,
    lastError: newest.lastError ?? '',
  };
}

/** The recipient data of a mail to a member. */
export interface MailReader {
  locale: Locale;
  /** The key of their address, if they confirmed it. */
  confirmedKey: string | null;
  /** Whether its owner has proven to be the one who uses the account. */
  isProven: boolean;
}

/** The language of a member's mails, and whether their address is theirs. */
export async function findMailReader(db: Database, memberId: number): Promise<MailReader | undefined> {
  const { id, locale, emailKey, emailConfirmedAtMs, ownerProvenAtMs } = db.tables.members;
  const [row] = await db
    .select({ locale, emailKey, emailConfirmedAtMs, ownerProvenAtMs })
    .from(db.tables.members)
    .where(eq(id, memberId));
  if (row === undefined) return undefined;
  const isConfirmed = row.emailConfirmedAtMs !== null;
  return {
    locale: row.locale,
    confirmedKey: isConfirmed ? row.emailKey : null,
    isProven: isConfirmed && row.ownerProvenAtMs !== null,
  };
}
