import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The newest one-time password of a member; an older one has no row. */
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
      unique('only the newest one-time password of a member counts', 'memberId'),
      index('removes one-time passwords that have expired', 'expiresAtMs'),
    ],
  );
