import { and, asc, eq, isNull, lte, notExists, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { familyOf } from './find-token-state.js';
import { inIds } from './paging.js';

/** A sign-in to an application that is notified when the session ends. */
export interface ApplicationLogin {
  readonly applicationId: number;
  readonly memberId: number;
  readonly familyId: number;
}

/** One whose session has ended. */
export interface DueLogout extends ApplicationLogin {
  readonly id: number;
  readonly endedAtMs: number;
  readonly dueAtMs: number;
  readonly failures: number;
}

/** Remembers a sign-in, once for each session and application. */
export async function recordApplicationLogin(
  db: Database,
  login: ApplicationLogin & { readonly createdAtMs: number },
): Promise<void> {
  await db.insertOnce(db.tables.applicationLogins, login);
}

/** Queues notifications for the sign-ins to applications in sessions that end, in the transaction that ends them. */
export async function queueLogouts(
  tx: AccessTransaction,
  which: SQL | undefined,
  nowMs: number,
): Promise<void> {
  const { applicationLogins, sessions } = tx.tables;
  const { id, memberId, familyId, dueAtMs } = applicationLogins;
  const isOfSession = and(eq(sessions.memberId, memberId), eq(familyOf(tx.tables), familyId));
  const rows = await tx
    .select({ id })
    .from(applicationLogins)
    .innerJoin(sessions, isOfSession)
    .where(and(which, isNull(dueAtMs)));
  if (rows.length === 0) return;
  // Each row of a family of sessions names it.
  const isFound = inIds(tx, id, [...new Set(rows.map((row) => row.id))]);
  await tx.write(tx.update(applicationLogins).set({ endedAtMs: nowMs, dueAtMs: nowMs }).where(isFound));
}

/** The applications to notify now, longest due first. */
export async function listDueLogouts(
  db: Database,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<DueLogout[]> {
  const { applicationLogins } = db.tables;
  const { id, applicationId, memberId, familyId, endedAtMs, dueAtMs, failures } = applicationLogins;
  const rows = await db
    .select({ id, applicationId, memberId, familyId, endedAtMs, dueAtMs, failures })
    .from(applicationLogins)
    .where(lte(dueAtMs, nowMs))
    .orderBy(asc(dueAtMs))
    .limit(limit);
  return rows.flatMap((row) =>
    row.endedAtMs === null || row.dueAtMs === null
      ? []
      : [{ ...row, endedAtMs: row.endedAtMs, dueAtMs: row.dueAtMs }],
  );
}

/** Moves the next attempt of one. False if another node did. */
export async function moveLogout(
  db: Database,
  { id, from, to, failures }: { id: number; from: number; to: number; failures: number },
): Promise<boolean> {
  const { applicationLogins } = db.tables;
  const isHere = and(eq(applicationLogins.id, id), eq(applicationLogins.dueAtMs, from));
  return (await db.write(db.update(applicationLogins).set({ dueAtMs: to, failures }).where(isHere))) === 1;
}

export async function removeApplicationLogin(db: Database, id: number): Promise<void> {
  const { applicationLogins } = db.tables;
  await db.write(db.delete(applicationLogins).where(eq(applicationLogins.id, id)));
}

/** Removes sign-ins whose session expired, about which nobody is notified. Returns how many there were. */
export async function removeExpiredLogins(db: Database, limit: number): Promise<number> {
  const { applicationLogins, sessions } = db.tables;
  const { id, memberId, familyId, dueAtMs } = applicationLogins;
  const ofSession = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.memberId, memberId), eq(familyOf(db.tables), familyId)));
  const rows = await db
    .select({ id })
    .from(applicationLogins)
    .where(and(isNull(dueAtMs), notExists(ofSession)))
    .limit(limit);
  if (rows.length === 0) return 0;
  const isFound = inIds(
    db,
    id,
    rows.map((row) => row.id),
  );
  return db.write(db.delete(applicationLogins).where(isFound));
}
