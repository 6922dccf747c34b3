import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Which members registered with the code of which affiliate. */
export const defineReferrals = (v: Vocabulary) =>
  v.table(
    'referrals',
    {
      id: v.id(),
      memberId: v.reference(),
      /** The member who is the affiliate. */
      affiliateId: v.reference(),
      createdAtMs: v.instant(),
    },
    [
      unique('a member came by one affiliate', 'memberId'),
      index('lists whom an affiliate brought', 'affiliateId', 'memberId'),
    ],
  );
