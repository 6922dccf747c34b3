import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Members who refer others for a commission. */
export const defineAffiliates = (v: Vocabulary) =>
  v.table(
    'affiliates',
    {
      id: v.id(),
      memberId: v.reference(),
      code: v.string(64),
      codeKey: v.key(128),
      commissionBasisPoints: v.integer(),
      payoutEmail: v.string(320),
      active: v.flag().default(true),
      /** Ended by the member's deletion. Restoring the member restores it. */
      endedWithMember: v.flag().default(false),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('a member is an affiliate once', 'memberId'),
      unique('a code belongs to one affiliate; searches affiliates by the beginning of the code', 'codeKey'),
    ],
  );
