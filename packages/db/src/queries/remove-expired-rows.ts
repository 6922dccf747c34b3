import { and, asc, inArray, lt } from 'drizzle-orm';
import type { Database } from '../database.js';

/**
 * Data kept for a limited time. Each field is the time before which rows may be removed, in epoch
 * milliseconds.
 */
export interface Expiry {
  /**
   * Revocations and sessions whose token expired before this, and challenges, mailed codes and OAuth artifacts that expired
   * before it.
   */
  tokensBeforeMs: number;
  /** Counters whose window ended before this. */
  limitsBeforeMs: number;
  /** Familiar addresses without a sign-in since then. */
  familiarityBeforeMs: number;
}

/**
 * Removes up to `limit` rows of each kind, oldest first, in short statements that do not block requests. Returns
 * how many were removed.
 */
export async function removeExpiredRows(db: Database, expiry: Expiry, limit: number): Promise<number> {
  const { enrolmentTickets, limits, loginFamiliarity, mailedCodes } = db.tables;
  const { oauthArtifacts, revocations, sessions, signInChallenges, ssoLogins, ssoRuns } = db.tables;
  const tokenKeys = await db
    .select({ tokenKey: revocations.tokenKey })
    .from(revocations)
    .where(lt(revocations.expiresAtMs, expiry.tokensBeforeMs))
    .orderBy(asc(revocations.expiresAtMs))
    .limit(limit);
  const sessionIds = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(lt(sessions.expiresAtMs, expiry.tokensBeforeMs))
    .orderBy(asc(sessions.expiresAtMs))
    .limit(limit);

  const limitKeys = await db
    .select({ key: limits.key })
    .from(limits)
    .where(lt(limits.expiresAtMs, expiry.limitsBeforeMs))
    .orderBy(asc(limits.expiresAtMs))
    .limit(limit);
  const originIds = await db
    .select({ id: loginFamiliarity.id })
    .from(loginFamiliarity)
    .where(lt(loginFamiliarity.lastSuccessAtMs, expiry.familiarityBeforeMs))
    .orderBy(asc(loginFamiliarity.lastSuccessAtMs))
    .limit(limit);

  const challengeIds = await db
    .select({ id: signInChallenges.id })
    .from(signInChallenges)
    .where(lt(signInChallenges.expiresAtMs, expiry.tokensBeforeMs))
    .orderBy(asc(signInChallenges.expiresAtMs))
    .limit(limit);
  const codeIds = await db
    .select({ id: mailedCodes.id })
    .from(mailedCodes)
    .where(lt(mailedCodes.expiresAtMs, expiry.tokensBeforeMs))
    .orderBy(asc(mailedCodes.expiresAtMs))
    .limit(limit);
  const ticketIds = await db
    .select({ id: enrolmentTickets.id })
    .from(enrolmentTickets)
    .where(lt(enrolmentTickets.expiresAtMs, expiry.tokensBeforeMs))
    .orderBy(asc(enrolmentTickets.expiresAtMs))
    .limit(limit);
  const artifactIds = await db
    .select({ id: oauthArtifacts.id })
    .from(oauthArtifacts)
    .where(lt(oauthArtifacts.expiresAtMs, expiry.tokensBeforeMs))
    .orderBy(asc(oauthArtifacts.expiresAtMs))
    .limit(limit);

  const loginIds = await db
    .select({ id: ssoLogins.id })
    .from(ssoLogins)
    .where(lt(ssoLogins.untilMs, expiry.tokensBeforeMs))
    .orderBy(asc(ssoLogins.untilMs))
    .limit(limit);
  const runIds = await db
    .select({ id: ssoRuns.id })
    .from(ssoRuns)
    .where(lt(ssoRuns.expiresAtMs, expiry.tokensBeforeMs))
    .orderBy(asc(ssoRuns.expiresAtMs))
    .limit(limit);

  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((one, other) => one - other);
  let removed = 0;
  if (tokenKeys.length > 0) {
    const keys = tokenKeys.map(({ tokenKey }) => tokenKey).sort();
    removed += await db.write(db.delete(revocations).where(inArray(revocations.tokenKey, keys)));
  }
  if (limitKeys.length > 0) {
    const keys = limitKeys.map(({ key }) => key).sort();
    removed += await db.write(
      db.delete(limits).where(and(inArray(limits.key, keys), lt(limits.expiresAtMs, expiry.limitsBeforeMs))),
    );
  }
  for (const [table, rows] of [
    [sessions, sessionIds],
    [loginFamiliarity, originIds],
    [signInChallenges, challengeIds],
    [mailedCodes, codeIds],
    [enrolmentTickets, ticketIds],
    [oauthArtifacts, artifactIds],
    [ssoLogins, loginIds],
    [ssoRuns, runIds],
  ] as const) {
    if (rows.length > 0) removed += await db.write(db.delete(table).where(inArray(table.id, ids(rows))));
  }
  return removed;
}
