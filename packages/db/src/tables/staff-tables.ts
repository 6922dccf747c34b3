import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

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

/** Who acted for which member, why, and until when. Its session says whether it is still active. */
export const defineImpersonations = (v: Vocabulary) =>
  v.table(
    'impersonations',
    {
      id: v.id(),
      /** The member of staff. */
      actorId: v.reference(),
      /** The actor's session epoch when it began; it is over with that. */
      actorEpoch: v.integer(),
      memberId: v.reference(),
      /** The account it was begun for; null for staff of every account who named none. */
      accountId: v.maybe.reference(),
      reason: v.string(500),
      mayWrite: v.flag(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      /** When its actor, or root, ended it. */
      endedAtMs: v.maybe.instant(),
      endedById: v.maybe.reference(),
    },
    [
      index('lists what one member of staff began', 'actorId', 'id'),
      index('lists who acted for a member', 'memberId', 'id'),
    ],
  );

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
