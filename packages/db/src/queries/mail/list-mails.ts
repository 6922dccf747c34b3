import { and, desc, eq, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { MailState } from '../../tables/mail-outbox.js';
import { membersInScope } from '../member/member-in-scope.js';
import type { MemberScope } from '../membership/member-scope.js';
import { selectCountUpTo } from '../page/count-up-to.js';

/** A mail without its text. */
export interface ListedMail {
  id: number;
  /** Null for mails to an address that is nobody's. */
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
export interface MailFilter {
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

/** The select of the newest mails to a member. */
export function selectMailsOfMember(db: Database) {
  const { id, memberId, state } = db.tables.mailOutbox;
  return listed(db)
    .where(and(eq(memberId, sql.placeholder('memberId')), ne(state, 'void')))
    .orderBy(desc(id))
    .limit(sql.placeholder('limit'));
}

/** The select of how many there are, at most `MOST_COUNTED`. */
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
