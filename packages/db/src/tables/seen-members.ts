import { primary } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** When a member was last seen, as the statistics count it: in the whole service, and as a member of each account. */
export const defineSeenMembers = (v: Vocabulary) =>
  v.table(
    'seen_members',
    {
      memberId: v.reference(),
      /** 0 for the whole service. */
      accountId: v.reference(),
      /** Quarters of an hour since 1970-01-01T00:00:00Z. */
      slot: v.integer(),
    },
    [primary('moves a member from one counter to the next', 'memberId', 'accountId')],
  );
