import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';
import type { SessionKind } from './sessions.js';

/** Sign-ins whose first factor was right and whose second step is still to come. */
export const defineSignInChallenges = (v: Vocabulary) =>
  v.table(
    'sign_in_challenges',
    {
      id: v.id(),
      challengeKey: v.digest(),
      memberId: v.reference(),
      /** What the member had at the first factor. A change since ends the challenge. */
      factorEpoch: v.integer(),
      sessionEpoch: v.integer(),
      passwordDigest: v.digest(),
      kind: v.string<SessionKind>(16),
      partnerId: v.maybe.reference(),
      application: v.string(16),
      /** The deployment and the client it was made for. */
      deployment: v.string(16),
      clientDigest: v.digest(),
      originDigest: v.maybe.digest(),
      /** The cookie of the browser that asked, in cookie mode. */
      cookieDigest: v.maybe.digest(),
      /** How the first factor was authenticated. */
      amr: v.string(64),
      attempts: v.integer().default(0),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [
      unique('finds the challenge of a second step', 'challengeKey'),
      index('ends the challenges of a member who is erased', 'memberId'),
      index('removes challenges that have expired', 'expiresAtMs'),
    ],
  );
