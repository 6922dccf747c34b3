import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { SocialStatePurpose } from '../../tables/social-states.js';

/** The data of a consumed code. */
export interface TakenSocialState {
  providerId: number;
  memberId: number;
  sessionTokenKey: string;
  payload: string | null;
}

/**
 * Consumes a code. Undefined unless it has this purpose, is unused and unexpired, and, if `bearer` is given,
 * belongs to that session. Only one of any number of attempts succeeds; an attempt by another session changes
 * nothing.
 */
export async function consumeSocialState(
  tx: Database,
  code: {
    stateKey: string;
    purpose: SocialStatePurpose;
    bearer?: { memberId: number; sessionTokenKey: string };
    nowMs: number;
  },
): Promise<TakenSocialState | undefined> {
  const { socialStates } = tx.tables;
  const { stateKey, purpose, bearer, nowMs } = code;
  const isThis = eq(socialStates.stateKey, stateKey);
  const [found] = await tx
    .select({
      providerId: socialStates.providerId,
      memberId: socialStates.memberId,
      sessionTokenKey: socialStates.sessionTokenKey,
      payload: socialStates.payload,
    })
    .from(socialStates)
    .where(isThis);
  if (!found || found.memberId === null || found.sessionTokenKey === null) return undefined;
  const { memberId, sessionTokenKey } = found;
  const rows = await tx.write(
    tx
      .update(socialStates)
      .set({ usedAtMs: nowMs, payload: null })
      .where(
        and(
          isThis,
          eq(socialStates.purpose, purpose),
          isNull(socialStates.usedAtMs),
          gt(socialStates.expiresAtMs, nowMs),
          bearer && eq(socialStates.memberId, bearer.memberId),
          bearer && eq(socialStates.sessionTokenKey, bearer.sessionTokenKey),
        ),
      ),
  );
  return rows === 1 ? { ...found, memberId, sessionTokenKey } : undefined;
}
