import { and, asc, eq, gte, inArray, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { Tables } from '../../tables/define-tables.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ConnectionSummary } from './select-connection-summaries.js';

type Since = { memberId: number; passwordChangedAtMs: number | null };

/** A member's connections since their password was set, oldest first: all of them where it was never changed. */
export async function listYoungerConnections(db: Database, since: Since): Promise<ConnectionSummary[]> {
  const { socialConnections } = db.tables;
  const { id, providerId, displayName, email, tokenStatus } = socialConnections;
  const { expiresAtMs, renewDueAtMs, createdAtMs } = socialConnections;
  return db
    .select({ id, providerId, displayName, email, tokenStatus, expiresAtMs, renewDueAtMs, createdAtMs })
    .from(socialConnections)
    .where(isYounger(db.tables, since))
    .orderBy(asc(id));
}

/** Whether a connection was made since the password was set. */
export function isYoungerThanPassword(
  createdAtMs: number,
  passwordChangedAtMs: number | null | undefined,
): boolean {
  return createdAtMs >= (passwordChangedAtMs ?? 0);
}

/** Removes connections of a member with all their provider data. The caller ends the sessions. */
export async function removeConnections(
  tx: AccessTransaction,
  { memberId, ids }: { memberId: number; ids: readonly number[] },
): Promise<void> {
  const { socialConnections } = tx.tables;
  if (ids.length === 0) return;
  const isOne = and(eq(socialConnections.memberId, memberId), inArray(socialConnections.id, [...ids]));
  await tx.write(tx.delete(socialConnections).where(isOne));
}

function isYounger({ socialConnections }: Tables, { memberId, passwordChangedAtMs }: Since): SQL | undefined {
  const { createdAtMs } = socialConnections;
  return and(eq(socialConnections.memberId, memberId), gte(createdAtMs, passwordChangedAtMs ?? 0));
}
