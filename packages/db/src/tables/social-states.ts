import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The purpose of a one-use code of the social flows. */
export type SocialStatePurpose = 'login' | 'connect' | 'finish';

/** One-use states and connect codes; the payload (profile and tokens of a connection being made) is encrypted. */
export const defineSocialStates = (v: Vocabulary) =>
  v.table(
    'social_states',
    {
      stateKey: v.digest().primaryKey(),
      purpose: v.string<SocialStatePurpose>(16),
      providerId: v.integer(),
      memberId: v.maybe.reference(),
      sessionTokenKey: v.maybe.digest(),
      payload: v.maybe.secret(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [index('removes codes that have expired', 'expiresAtMs')],
  );
