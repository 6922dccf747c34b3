import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Up to where the log of access changes was shown to be complete, and when, by the database's clock. */
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
