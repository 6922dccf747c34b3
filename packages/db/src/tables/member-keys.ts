import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The key under which what the audit log holds of a member is sealed, itself encrypted; without it nothing opens that. */
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
