import { primary } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** From where a username of a member goes on, once for each of its characters: what stands anywhere in it stands first here. */
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
