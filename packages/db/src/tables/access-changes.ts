import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/**
 * The log of access changes for all nodes. A node remembers the ids it has read. A row without a subject is a
 * tombstone: it fills the id of a change that never happened.
 */
export const defineAccessChanges = (v: Vocabulary) =>
  v.table(
    'access_changes',
    {
      id: v.id(),
      memberId: v.maybe.reference(),
      accountId: v.maybe.reference(),
      partnerId: v.maybe.reference(),
      atMs: v.instant(),
    },
    [index('lets nodes of an older release remove changes', 'atMs')],
  );
