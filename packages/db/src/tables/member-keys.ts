import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** A member's key for their data in the audit log, itself encrypted. Without it that data is unreadable. */
export const defineMemberKeys = (v: Vocabulary) =>
  v.table(
    'member_keys',
    {
      id: v.id(),
      memberId: v.reference(),
      key: v.secret(),
      createdAtMs: v.instant(),
    },
    [unique('one key per member', 'memberId')],
  );
