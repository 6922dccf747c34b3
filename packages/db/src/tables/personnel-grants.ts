import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The accounts that staff may act in without a membership. */
export const definePersonnelGrants = (v: Vocabulary) =>
  v.table(
    'personnel_grants',
    {
      id: v.id(),
      personnelId: v.reference(),
      accountId: v.reference(),
      isDeleted: v.flag().default(false),
      active: v.flag().default(true),
      /** Ended by the member's deletion. Restoring the member restores it. */
      endedWithMember: v.flag().default(false),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique(
        'one grant per staff member and account; reads the grants of a staff member',
        'personnelId',
        'accountId',
      ),
      index('lists the staff granted an account', 'accountId', 'personnelId'),
    ],
  );
