import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Codes that were mailed to prove a mailbox, each to one challenge or one session. */
export const defineMailedCodes = (v: Vocabulary) =>
  v.table(
    'mailed_codes',
    {
      id: v.id(),
      /** The digest of the challenge or session that asked. */
      boundKey: v.digest(),
      memberId: v.reference(),
      /** Counts the codes of a challenge or session. */
      serial: v.integer().default(1),
      /** Keyed by the data encryption key. */
      digest: v.digest(),
      attempts: v.integer().default(0),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [
      unique('lets one of several requests at once make the next code', 'boundKey', 'serial'),
      index('removes the codes of a member who is erased', 'memberId'),
      index('removes codes that have expired', 'expiresAtMs'),
    ],
  );
