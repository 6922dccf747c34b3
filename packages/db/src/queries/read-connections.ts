import { and, asc, eq, gt, gte, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { TokenStatus } from '../tables/social-tables.js';
import type { AccessTransaction } from './change-access.js';
import { countUpTo } from './paging.js';
import { prepareRead } from './prepared.js';

/** A connection without its tokens. */
export interface ConnectionRow {
  id: number;
  memberId: number;
  providerId: number;
  providerUserId: string;
  email: string | null;
  displayName: string | null;
  tokenStatus: TokenStatus;
  scopes: string | null;
  fbAccounts: unknown;
  igAccounts: unknown;
  lnAccounts: unknown;
  twtAccounts: unknown;
  detail: unknown;
  expiresAtMs: number | null;
  renewDueAtMs: number | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The columns of a `ConnectionRow`. */
function connectionColumns({ socialConnections }: Tables) {
  const { id, memberId, providerId, providerUserId, email, displayName, tokenStatus, scopes } =
    socialConnections;
  const { fbAccounts, igAccounts, lnAccounts, twtAccounts, detail } = socialConnections;
  const { expiresAtMs, renewDueAtMs, createdAtMs, updatedAtMs } = socialConnections;
  return {
    id,
    memberId,
    providerId,
    providerUserId,
    email,
    displayName,
    tokenStatus,
    scopes,
    fbAccounts,
    igAccounts,
    lnAccounts,
    twtAccounts,
    detail,
    expiresAtMs,
    renewDueAtMs,
    createdAtMs,
    updatedAtMs,
  };
}

/** The connection of a provider identity. At most one member has it. */
export async function findConnection(
  db: Database,
  { providerId, providerUserId }: { providerId: number; providerUserId: string },
): Promise<ConnectionRow | undefined> {
  const { socialConnections } = db.tables;
  const [row] = await db
    .select(connectionColumns(db.tables))
    .from(socialConnections)
    .where(
      and(eq(socialConnections.providerId, providerId), eq(socialConnections.providerUserId, providerUserId)),
    );
  return row;
}

/** Whether a connection still exists and belongs to the member. */
export async function hasConnection(
  db: Database,
  { id, memberId }: { id: number; memberId: number },
): Promise<boolean> {
  const { socialConnections } = db.tables;
  const [row] = await db
    .select({ id: socialConnections.id })
    .from(socialConnections)
    .where(and(eq(socialConnections.id, id), eq(socialConnections.memberId, memberId)));
  return row !== undefined;
}

/** Whether a member has any connection. */
export async function hasAnyConnection(db: Database, memberId: number): Promise<boolean> {
  const { socialConnections } = db.tables;
  const [row] = await db
    .select({ id: socialConnections.id })
    .from(socialConnections)
    .where(eq(socialConnections.memberId, memberId))
    .limit(1);
  return row !== undefined;
}

const preparedConnections = prepareRead((db) => {
  const { socialConnections } = db.tables;
  return db
    .select(connectionColumns(db.tables))
    .from(socialConnections)
    .where(
      and(
        eq(socialConnections.memberId, sql.placeholder('memberId')),
        gt(socialConnections.id, sql.placeholder('afterId')),
      ),
    )
    .orderBy(asc(socialConnections.id))
    .limit(sql.placeholder('limit'));
});

/** The connections of a member, oldest first; `afterId` pages on. */
export async function listConnections(
  db: Database,
  memberId: number,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<ConnectionRow[]> {
  return preparedConnections(db, { memberId, afterId, limit });
}

/** How many there are, at most `MAX_COUNTED`. */
export function countConnections(db: Database, memberId: number): Promise<number> {
  const { socialConnections } = db.tables;
  return countUpTo(db, socialConnections, eq(socialConnections.memberId, memberId));
}

/** A connection without its tokens and contents. */
export type ConnectionSummary = Pick<
  ConnectionRow,
  | 'id'
  | 'providerId'
  | 'displayName'
  | 'email'
  | 'tokenStatus'
  | 'expiresAtMs'
  | 'renewDueAtMs'
  | 'createdAtMs'
>;

/** The select of the connections of a member, oldest first. */
export function selectConnectionSummaries(db: Database) {
  const { socialConnections } = db.tables;
  const { id, providerId, displayName, email, tokenStatus } = socialConnections;
  const { expiresAtMs, renewDueAtMs, createdAtMs } = socialConnections;
  return db
    .select({ id, providerId, displayName, email, tokenStatus, expiresAtMs, renewDueAtMs, createdAtMs })
    .from(socialConnections)
    .where(eq(socialConnections.memberId, sql.placeholder('memberId')))
    .orderBy(asc(id))
    .limit(sql.placeholder('limit'));
}

type Since = { memberId: number; passwordChangedAtMs: number | null };

/** A member's connections since their password was set, oldest first: all of them if it was never changed. */
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
