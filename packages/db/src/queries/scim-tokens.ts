import { and, asc, count, desc, eq, gt, isNotNull, isNull, lt, lte, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { lockRows } from './lock-rows.js';
import { inIds } from './paging.js';

/** A token of a directory, without the token itself. */
export interface ScimTokenRow {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly lastFour: string;
  readonly createdById: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
}

function columns({ tables: { scimTokens } }: Database) {
  const { id, accountId, name, lastFour, createdById } = scimTokens;
  const { createdAtMs, expiresAtMs, revokedAtMs, lastUsedAtMs } = scimTokens;
  return { id, accountId, name, lastFour, createdById, createdAtMs, expiresAtMs, revokedAtMs, lastUsedAtMs };
}

/** What decides about a call with a token. */
export interface ScimTokenState {
  readonly id: number;
  readonly accountId: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
}

/** The token with a digest, ended ones included. */
export async function findScimTokenState(db: Database, digest: string): Promise<ScimTokenState | undefined> {
  const { scimTokens } = db.tables;
  const { id, accountId, expiresAtMs, revokedAtMs } = scimTokens;
  const [row] = await db
    .select({ id, accountId, expiresAtMs, revokedAtMs })
    .from(scimTokens)
    .where(eq(scimTokens.digest, digest));
  return row;
}

/** Locks a token until the transaction ends. */
export async function lockScimToken(tx: Database, digest: string): Promise<void> {
  const { scimTokens } = tx.tables;
  const where = eq(scimTokens.digest, digest);
  await lockRows(tx, scimTokens, { column: scimTokens.createdAtMs, where, mode: 'share' });
}

/** A token of an account, ended ones included. */
export async function findScimToken(
  db: Database,
  { id, accountId }: { id: number; accountId: number },
): Promise<ScimTokenRow | undefined> {
  const { scimTokens } = db.tables;
  const [row] = await db
    .select(columns(db))
    .from(scimTokens)
    .where(and(eq(scimTokens.id, id), eq(scimTokens.accountId, accountId)));
  return row;
}

/** The tokens of an account, ended ones included, by descending id. */
export async function listScimTokens(
  db: Database,
  { accountId, beforeId, limit }: { accountId: number; beforeId: number | undefined; limit: number },
): Promise<ScimTokenRow[]> {
  const { scimTokens } = db.tables;
  return db
    .select(columns(db))
    .from(scimTokens)
    .where(
      and(
        eq(scimTokens.accountId, accountId),
        beforeId === undefined ? undefined : lt(scimTokens.id, beforeId),
      ),
    )
    .orderBy(desc(scimTokens.id))
    .limit(limit);
}

/** How many tokens of an account still open something, up to `limit`. */
export async function countLiveScimTokens(
  db: Database,
  { accountId, nowMs, limit }: { accountId: number; nowMs: number; limit: number },
): Promise<number> {
  const { scimTokens } = db.tables;
  const rows = await db
    .select({ id: scimTokens.id })
    .from(scimTokens)
    .where(
      and(
        eq(scimTokens.accountId, accountId),
        isNull(scimTokens.revokedAtMs),
        gt(scimTokens.expiresAtMs, nowMs),
      ),
    )
    .limit(limit);
  return rows.length;
}

export async function insertScimToken(
  tx: AccessTransaction,
  token: Omit<ScimTokenRow, 'id' | 'revokedAtMs' | 'lastUsedAtMs'> & {
    readonly digest: string;
    readonly noticeAtMs: number | null;
  },
): Promise<number> {
  return tx.insert(tx.tables.scimTokens, token);
}

/** Revokes a token. False if it was revoked already. */
export async function revokeScimToken(
  tx: AccessTransaction,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<boolean> {
  const { scimTokens } = tx.tables;
  const rows = await tx.write(
    tx
      .update(scimTokens)
      .set({ revokedAtMs: nowMs, noticeAtMs: null })
      .where(and(eq(scimTokens.id, id), isNull(scimTokens.revokedAtMs))),
  );
  return rows === 1;
}

/** Writes when tokens were last used. */
export async function touchScimTokens(db: Database, ids: readonly number[], nowMs: number): Promise<void> {
  const { scimTokens } = db.tables;
  await db.write(
    db
      .update(scimTokens)
      .set({ lastUsedAtMs: nowMs })
      .where(
        and(
          inIds(db, scimTokens.id, ids),
          or(isNull(scimTokens.lastUsedAtMs), lt(scimTokens.lastUsedAtMs, nowMs)),
        ),
      ),
  );
}

/** A token whose managers are to get mail about its end. */
export interface DueScimNotice {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly expiresAtMs: number;
  readonly noticeAtMs: number;
}

/** The tokens about whose end a mail is due, at most `limit`. */
export async function listDueScimNotices(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<DueScimNotice[]> {
  const { id, accountId, name, expiresAtMs, noticeAtMs, revokedAtMs } = db.tables.scimTokens;
  const rows = await db
    .select({ id, accountId, name, expiresAtMs, noticeAtMs })
    .from(db.tables.scimTokens)
    .where(and(isNotNull(noticeAtMs), lte(noticeAtMs, nowMs), isNull(revokedAtMs)))
    .orderBy(asc(noticeAtMs))
    .limit(limit);
  return rows.flatMap((row) => (row.noticeAtMs === null ? [] : [{ ...row, noticeAtMs: row.noticeAtMs }]));
}

/** Records that the mail about a token's end is written. False if another node did it, or the token was revoked. */
export async function endScimNotice(
  tx: Database,
  { id, noticeAtMs }: { id: number; noticeAtMs: number },
): Promise<boolean> {
  const { scimTokens } = tx.tables;
  const rows = await tx.write(
    tx
      .update(scimTokens)
      .set({ noticeAtMs: null })
      .where(
        and(eq(scimTokens.id, id), eq(scimTokens.noticeAtMs, noticeAtMs), isNull(scimTokens.revokedAtMs)),
      ),
  );
  return rows === 1;
}

/** A request of a directory. */
export interface ScimRequestRow {
  readonly id: number;
  readonly tokenId: number;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly error: string | null;
}

export async function insertScimRequest(
  db: Database,
  request: Omit<ScimRequestRow, 'id'> & { readonly accountId: number },
): Promise<number> {
  return db.insert(db.tables.scimRequests, request);
}

/** The last requests of an account's directory, newest first. */
export async function listScimRequests(
  db: Database,
  { accountId, beforeId, limit }: { accountId: number; beforeId: number | undefined; limit: number },
): Promise<ScimRequestRow[]> {
  const { scimRequests } = db.tables;
  const { id, tokenId, atMs, method, path, status, error } = scimRequests;
  return db
    .select({ id, tokenId, atMs, method, path, status, error })
    .from(scimRequests)
    .where(and(eq(scimRequests.accountId, accountId), beforeId === undefined ? undefined : lt(id, beforeId)))
    .orderBy(desc(id))
    .limit(limit);
}

/** Some accounts whose directories have asked for more than `keep`, the longest logs first. */
export async function listLongScimLogs(
  db: Database,
  { keep, limit }: { keep: number; limit: number },
): Promise<number[]> {
  const { accountId } = db.tables.scimRequests;
  const rows = await db
    .select({ accountId })
    .from(db.tables.scimRequests)
    .groupBy(accountId)
    .having(gt(count(), keep))
    .orderBy(desc(count()))
    .limit(limit);
  return rows.map((row) => row.accountId);
}

/** Removes the requests of an account's directory but the last `keep`, at most `limit`. */
export async function removeOldScimRequests(
  db: Database,
  { accountId, keep, limit }: { accountId: number; keep: number; limit: number },
): Promise<void> {
  const { scimRequests } = db.tables;
  const old = await db
    .select({ id: scimRequests.id })
    .from(scimRequests)
    .where(eq(scimRequests.accountId, accountId))
    .orderBy(desc(scimRequests.id))
    .limit(limit)
    .offset(keep);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await db.write(db.delete(scimRequests).where(inIds(db, scimRequests.id, ids)));
}

/** Erases the tokens of an account's directory, and the log of its requests. */
export async function eraseScimTokens(tx: AccessTransaction, accountId: number): Promise<void> {
  const { scimRequests, scimTokens } = tx.tables;
  await tx.write(tx.delete(scimRequests).where(eq(scimRequests.accountId, accountId)));
  await tx.write(tx.delete(scimTokens).where(eq(scimTokens.accountId, accountId)));
}
