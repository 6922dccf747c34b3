import { and, asc, type Column, eq, inArray, isNotNull, isNull, lt, not, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';
import { startsWith } from './match-text.js';

/** The authenticator app of a member. The secrets are encrypted. */
type TotpFactor = Pick<
  Tables['totpFactors']['$inferSelect'],
  'secret' | 'confirmedAtMs' | 'lastStep' | 'pendingSecret' | 'pendingSinceMs'
>;

/** A member's authenticator app, confirmed or not. */
export async function findTotpFactor(db: Database, memberId: number): Promise<TotpFactor | undefined> {
  const { totpFactors } = db.tables;
  const { secret, confirmedAtMs, lastStep, pendingSecret, pendingSinceMs } = totpFactors;
  const [row] = await db
    .select({ secret, confirmedAtMs, lastStep, pendingSecret, pendingSinceMs })
    .from(totpFactors)
    .where(eq(totpFactors.memberId, memberId));
  return row;
}

/** Stores a secret that awaits its first code. It replaces an earlier one that does. */
export async function setPendingTotp(
  tx: Database,
  { memberId, secret, nowMs }: { memberId: number; secret: string; nowMs: number },
): Promise<void> {
  const { totpFactors } = tx.tables;
  const pending = { pendingSecret: secret, pendingSinceMs: nowMs };
  const isNew = await tx.insertOnce(totpFactors, { memberId, createdAtMs: nowMs, ...pending });
  if (!isNew) await tx.write(tx.update(totpFactors).set(pending).where(eq(totpFactors.memberId, memberId)));
}

/** Puts the pending secret in force, its first code used. False when another secret is pending. */
export async function confirmTotp(
  tx: AccessTransaction,
  { memberId, secret, step, nowMs }: { memberId: number; secret: string; step: number; nowMs: number },
): Promise<boolean> {
  const { totpFactors } = tx.tables;
  const rows = await tx.write(
    tx
      .update(totpFactors)
      .set({ secret, confirmedAtMs: nowMs, lastStep: step, pendingSecret: null, pendingSinceMs: null })
      .where(and(eq(totpFactors.memberId, memberId), eq(totpFactors.pendingSecret, secret))),
  );
  return rows === 1;
}

/** Uses up a code, by its time step. True for one of any number of attempts; false too for every earlier step. */
export async function consumeTotpStep(
  tx: Database,
  { memberId, secret, step }: { memberId: number; secret: string; step: number },
): Promise<boolean> {
  const { totpFactors } = tx.tables;
  const rows = await tx.write(
    tx
      .update(totpFactors)
      .set({ lastStep: step })
      .where(
        and(
          eq(totpFactors.memberId, memberId),
          eq(totpFactors.secret, secret),
          lt(totpFactors.lastStep, step),
        ),
      ),
  );
  return rows === 1;
}

/** Removes a member's authenticator app. */
export async function removeTotp(tx: AccessTransaction, memberId: number): Promise<void> {
  const { totpFactors } = tx.tables;
  await tx.write(tx.delete(totpFactors).where(eq(totpFactors.memberId, memberId)));
}

/** The encrypted secrets of one authenticator app. */
export interface TotpSecrets {
  id: number;
  memberId: number;
  secret: string | null;
  pendingSecret: string | null;
}

/** Authenticator apps with a secret that is not encrypted with the current key. */
export async function listStaleTotps(
  db: Database,
  { currentPrefix, limit }: { currentPrefix: string; limit: number },
): Promise<TotpSecrets[]> {
  const { totpFactors } = db.tables;
  const { id, memberId, secret, pendingSecret } = totpFactors;
  const isStale = (column: Column) => and(isNotNull(column), not(startsWith(column, currentPrefix)));
  return db
    .select({ id, memberId, secret, pendingSecret })
    .from(totpFactors)
    .where(or(isStale(secret), isStale(pendingSecret)))
    .orderBy(asc(id))
    .limit(limit);
}

/** Stores the secrets of an authenticator app encrypted anew, unless they changed meanwhile. */
export async function setTotpSecrets(
  db: Database,
  before: TotpSecrets,
  anew: Pick<TotpSecrets, 'secret' | 'pendingSecret'>,
): Promise<void> {
  const { totpFactors } = db.tables;
  const replace = async (column: 'secret' | 'pendingSecret') => {
    const expected = before[column];
    if (expected === null) return;
    const isSame = and(eq(totpFactors.id, before.id), eq(totpFactors[column], expected));
    await db.write(
      db
        .update(totpFactors)
        .set({ [column]: anew[column] })
        .where(isSame),
    );
  };
  await replace('secret');
  await replace('pendingSecret');
}

/** Replaces a member's backup codes by new ones, of which only digests are stored. */
export async function replaceBackupCodes(
  tx: AccessTransaction,
  { memberId, digests, nowMs }: { memberId: number; digests: readonly string[]; nowMs: number },
): Promise<void> {
  const { backupCodes } = tx.tables;
  await tx.write(tx.delete(backupCodes).where(eq(backupCodes.memberId, memberId)));
  const rows = digests.map((digest) => ({ memberId, digest, createdAtMs: nowMs }));
  await tx.insertMany(backupCodes, rows);
}

/** Removes a member's backup codes. */
export async function removeBackupCodes(tx: AccessTransaction, memberId: number): Promise<void> {
  const { backupCodes } = tx.tables;
  await tx.write(tx.delete(backupCodes).where(eq(backupCodes.memberId, memberId)));
}

/** Whether one of these digests is a backup code of the member that was not used yet. */
export async function hasBackupCode(
  db: Database,
  { memberId, digests }: { memberId: number; digests: readonly string[] },
): Promise<boolean> {
  const { backupCodes } = db.tables;
  const rows = await db
    .select({ id: backupCodes.id })
    .from(backupCodes)
    .where(
      and(
        eq(backupCodes.memberId, memberId),
        inArray(backupCodes.digest, [...digests]),
        isNull(backupCodes.usedAtMs),
      ),
    );
  return rows.length > 0;
}

/** Uses up a backup code. True for one of any number of attempts. */
export async function consumeBackupCode(
  tx: Database,
  { memberId, digests, nowMs }: { memberId: number; digests: readonly string[]; nowMs: number },
): Promise<boolean> {
  const { backupCodes } = tx.tables;
  const rows = await tx.write(
    tx
      .update(backupCodes)
      .set({ usedAtMs: nowMs })
      .where(
        and(
          eq(backupCodes.memberId, memberId),
          inArray(backupCodes.digest, [...digests]),
          isNull(backupCodes.usedAtMs),
        ),
      ),
  );
  return rows === 1;
}
