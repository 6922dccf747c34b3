import { and, asc, eq, gt, inArray, isNull, ne, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';

/** The login identifier and the addresses of a member, each with its key. */
export type StoredAddresses = Pick<
  Tables['members']['$inferSelect'],
  'sid' | 'sidKey' | 'email' | 'emailKey' | 'pendingEmail' | 'pendingEmailKey'
>;

/**
 * Members by ascending id of whom an address may not be in its canonical form: it differs from its key, or has characters
 * outside ASCII. Reads every member. `afterId` pages on.
 */
export async function listDoubtfulAddresses(
  db: Database,
  afterId: number,
  limit: number,
): Promise<(StoredAddresses & { id: number })[]> {
  const { members } = db.tables;
  const { id, sid, sidKey, email, emailKey, pendingEmail, pendingEmailKey } = members;
  const hasMoreBytes = (text: SQLWrapper): SQL =>
    db.dialect === 'mysql'
      ? sql`octet_length(${text}) <> char_length(${text})`
      : sql`length(cast(${text} as blob)) <> length(${text})`;
  const isDoubtful = or(
    ne(sid, sidKey),
    ne(email, emailKey),
    ne(pendingEmail, pendingEmailKey),
    ...[sid, email, pendingEmail].map((text) => hasMoreBytes(text)),
  );
  return db
    .select({ id, sid, sidKey, email, emailKey, pendingEmail, pendingEmailKey })
    .from(members)
    .where(and(gt(id, afterId), isDoubtful))
    .orderBy(asc(id))
    .limit(limit);
}

/** The members, deleted ones included, who have one of these keys as login identifier or address. */
export async function listAddressHolders(
  db: Database,
  keys: readonly string[],
): Promise<{ id: number; sidKey: string; emailKey: string | null }[]> {
  const { id, sidKey, emailKey } = db.tables.members;
  if (keys.length === 0) return [];
  const found = [];
  // One query per index, because a database uses no index for a combined condition.
  for (const isOneOf of [inArray(sidKey, [...keys]), inArray(emailKey, [...keys])])
    found.push(...(await db.select({ id, sidKey, emailKey }).from(db.tables.members).where(isOneOf)));
  return found;
}

/**
 * Writes the addresses of a member in another spelling of the same mailboxes; their proof stays. False if they were changed
 * meanwhile.
 * @throws {DuplicateKeyError} if somebody else has one of them by now
 */
export async function respellAddresses(
  tx: AccessTransaction,
  {
    id: memberId,
    before,
    after,
    nowMs,
  }: { id: number; before: StoredAddresses; after: StoredAddresses; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const { id, sid, email, pendingEmail } = members;
  const isUnchanged = and(
    eq(id, memberId),
    eq(sid, before.sid),
    before.email === null ? isNull(email) : eq(email, before.email),
    before.pendingEmail === null ? isNull(pendingEmail) : eq(pendingEmail, before.pendingEmail),
  );
  const rows = await tx.write(
    tx
      .update(members)
      .set({ ...after, updatedAtMs: nowMs })
      .where(isUnchanged),
  );
  return rows === 1;
}
