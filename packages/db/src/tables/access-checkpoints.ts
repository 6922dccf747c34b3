import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Up to which id the access log is known to be complete, and since when, by the database's clock. */
export const defineAccessCheckpoints = (v: Vocabulary) =>
  v.table(
    'access_checkpoints',
    {
      id: v.id(),
      changeId: v.reference(),
      atMs: v.instant(),
    },
    [unique('finds the newest checkpoint, and keeps one for each position', 'changeId')],
  );
