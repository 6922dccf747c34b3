import type { Database } from '../../database.js';
import type { SocialStatePurpose } from '../../tables/social-states.js';

/** A one-use code of a member who connects a provider. The caller has encrypted the payload. */
export interface NewSocialState {
  /** The digest of the code. */
  stateKey: string;
  purpose: SocialStatePurpose;
  providerId: number;
  memberId: number;
  /** The session that may use the code. */
  sessionTokenKey: string;
  payload: string | null;
  nowMs: number;
  expiresAtMs: number;
}

export async function insertSocialState(tx: Database, { nowMs, ...state }: NewSocialState): Promise<void> {
  await tx.insert(tx.tables.socialStates, { ...state, createdAtMs: nowMs });
}
