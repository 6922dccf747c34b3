import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../database.js';
import { isOfFamily } from './find-token-state.js';
import { lockRows } from './lock-rows.js';

/** What an access token of an application rests on. */
export interface GrantKeys {
  readonly tokenDigest: string;
  readonly grantDigest: string;
  readonly memberId: number;
  readonly applicationId: number;
  readonly consentId: number;
  /** The session that it ends with; null for none. */
  readonly familyId: number | null;
}

/**
 * Locks what an access token depends on, except the member, until the transaction ends. The caller has locked the member, as do
 * ending a session and withdrawing a consent.
 * @returns the scopes that the member and the application allow now; undefined if the token is no longer valid
 */
export async function lockGrant(
  tx: Database,
  { tokenDigest, grantDigest, memberId, applicationId, consentId, familyId }: GrantKeys,
): Promise<readonly string[] | undefined> {
  const { applications, consents, oauthArtifacts, sessions } = tx.tables;
  const isArtifact = (model: 'AccessToken' | 'Grant', digest: string) =>
    and(
      eq(oauthArtifacts.model, model),
      eq(oauthArtifacts.digest, digest),
      isNull(oauthArtifacts.consumedAtMs),
    );
  const isApplication = eq(applications.id, applicationId);
  await lockRows(tx, applications, { column: applications.createdAtMs, where: isApplication, mode: 'share' });
  for (const where of [isArtifact('Grant', grantDigest), isArtifact('AccessToken', tokenDigest)]) {
    await lockRows(tx, oauthArtifacts, { column: oauthArtifacts.createdAtMs, where, mode: 'share' });
    const rows = await tx.select({ id: oauthArtifacts.id }).from(oauthArtifacts).where(where);
    if (rows.length === 0) return undefined;
  }
  const [application] = await tx
    .select({ scopes: applications.scopes })
    .from(applications)
    .where(and(isApplication, eq(applications.active, true), isNull(applications.removedAtMs)));
  const [consent] = await tx
    .select({ scopes: consents.scopes })
    .from(consents)
    .where(and(eq(consents.id, consentId), eq(consents.memberId, memberId)));
  if (application === undefined || consent === undefined) return undefined;
  if (familyId !== null) {
    const isLive = and(
      eq(sessions.memberId, memberId),
      isOfFamily(tx.tables, familyId),
      isNull(sessions.endedAtMs),
    );
    const [session] = await tx.select({ id: sessions.id }).from(sessions).where(isLive).limit(1);
    if (session === undefined) return undefined;
  }
  return consent.scopes.filter((scope) => application.scopes.includes(scope));
}
