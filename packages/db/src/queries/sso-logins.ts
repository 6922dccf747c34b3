import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';
import { endImpersonationsOf } from './impersonations.js';
import { recordSessionEnds } from './session-events.js';

/** A sign-in by an identity provider. */
export type SsoLogin = Tables['ssoLogins']['$inferSelect'];

export async function insertSsoLogin(tx: Database, login: Omit<SsoLogin, 'id'>): Promise<number> {
  return tx.insert(tx.tables.ssoLogins, login);
}

export async function findSsoLogin(db: Database, id: number): Promise<SsoLogin | undefined> {
  const { ssoLogins } = db.tables;
  const [row] = await db.select().from(ssoLogins).where(eq(ssoLogins.id, id));
  return row;
}

/** Which sign-ins: those of a connection, of one of its subjects, of sessions at its provider, or of a member in an account. */
export type SsoLoginsOf =
  | { readonly connectionId: number }
  | { readonly connectionId: number; readonly subjectId: number }
  | { readonly connectionId: number; readonly providerSessionKeys: readonly string[] }
  | { readonly accountId: number; readonly memberId: number };

function isOf({ ssoLogins }: Tables, of: SsoLoginsOf): SQL | undefined {
  if ('memberId' in of)
    return and(eq(ssoLogins.memberId, of.memberId), eq(ssoLogins.accountId, of.accountId));
  return and(
    eq(ssoLogins.connectionId, of.connectionId),
    'subjectId' in of ? eq(ssoLogins.subjectId, of.subjectId) : undefined,
    'providerSessionKeys' in of ? inArray(ssoLogins.providerSessionKey, of.providerSessionKeys) : undefined,
  );
}

/** The members who have signed in so, by ascending id. */
export async function listMembersOfSsoLogins(db: Database, of: SsoLoginsOf): Promise<number[]> {
  const { ssoLogins } = db.tables;
  const rows = await db
    .select({ memberId: ssoLogins.memberId })
    .from(ssoLogins)
    .where(isOf(db.tables, of))
    .groupBy(ssoLogins.memberId)
    .orderBy(asc(ssoLogins.memberId));
  return rows.map(({ memberId }) => memberId);
}

/**
 * Ends the sessions of sign-ins, and what staff do for members from these. Tokens that are still to be redeemed end with them, because
 * their row is gone.
 */
export async function endSsoSessions(
  tx: AccessTransaction,
  of: SsoLoginsOf,
  end: { endedById: number | null; nowMs: number },
): Promise<void> {
  const { sessions, ssoLogins } = tx.tables;
  const logins = tx.select({ id: ssoLogins.id }).from(ssoLogins).where(isOf(tx.tables, of));
  const isEnding = inArray(sessions.ssoLoginId, logins);
  await recordSessionEnds(tx, isEnding, { reason: 'revoked', ...end });
  await endImpersonationsOf(tx, isEnding, end);
  await tx.write(
    tx
      .update(sessions)
      .set({ endedAtMs: end.nowMs })
      .where(and(isEnding, isNull(sessions.endedAtMs))),
  );
  await tx.write(tx.delete(ssoLogins).where(isOf(tx.tables, of)));
}
