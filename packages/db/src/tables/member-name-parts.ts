import { primary } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The suffixes of each username, one per character. A substring of the name is thus a prefix here. */
export const defineMemberNameParts = (v: Vocabulary) =>
  v.table(
    'member_name_parts',
    {
      part: v.key(32),
      memberId: v.reference(),
      position: v.integer(),
    },
    [primary('finds members by any text in the username, a page at a time', 'part', 'memberId', 'position')],
  );
