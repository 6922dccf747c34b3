import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** One-time passwords of members, each of its own life. */
export const defineOneTimePasswords = (v: Vocabulary) =>
  v.table(
    'one_time_passwords',
    {
      id: v.id(),
      memberId: v.reference(),
      serial: v.integer(),
      digest: v.digest(),
      attempts: v.integer().default(0),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [
      unique('lets one of several requests at once make the next one-time password', 'memberId', 'serial'),
      index('removes one-time passwords that have expired', 'expiresAtMs'),
    ],
  );
