import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The backup codes of a member, each of which stands in once for the second factor. */
export const defineBackupCodes = (v: Vocabulary) =>
  v.table(
    'backup_codes',
    {
      id: v.id(),
      memberId: v.reference(),
      /** Keyed by the data encryption key. */
      digest: v.digest(),
      createdAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [unique('finds the code somebody typed', 'memberId', 'digest')],
  );
