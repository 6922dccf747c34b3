import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The authenticator app of a member: RFC 6238. */
export const defineTotpFactors = (v: Vocabulary) =>
  v.table(
    'totp_factors',
    {
      id: v.id(),
      memberId: v.reference(),
      /** The secret in force, encrypted; null until the first code is confirmed. */
      secret: v.maybe.secret(),
      confirmedAtMs: v.maybe.instant(),
      /** The time step of the last code used. */
      lastStep: v.instant().default(0),
      /** The secret that awaits its first code, encrypted. */
      pendingSecret: v.maybe.secret(),
      pendingSinceMs: v.maybe.instant(),
      createdAtMs: v.instant(),
    },
    [unique('one authenticator app per member', 'memberId')],
  );
