import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The tenants, with members and subscriptions. */
export const defineAccounts = (v: Vocabulary) =>
  v.table(
    'accounts',
    {
      id: v.id(),
      name: v.string(255),
      nameKey: v.key(640),
      /** The primary owner: a live member of role 0 or 1 there. */
      ownerId: v.reference(),
      /** The member who opened it, which limits each member to one trial. The owner if unknown. */
      openedById: v.maybe.reference(),
      createdByPartnerId: v.maybe.reference(),
      isDeleted: v.flag().default(false),
      deletedAtMs: v.maybe.instant(),
      /** The member who closed it. */
      closedById: v.maybe.reference(),
      /** The member whose deletion also closed this account. Restoring them reopens it. */
      closedWithMemberId: v.maybe.reference(),
      /** When the content of a closed account is due for erasure. Null once that is done. */
      erasesAtMs: v.maybe.instant(),
      /** When its owners were notified of that. */
      erasureToldAtMs: v.maybe.instant(),
      erasedAtMs: v.maybe.instant(),
      /** The level of authentication that a session needs to act in it; 1 asks nothing more. */
      requiredLevel: v.integer().default(1),
      /** Since when that counts; null for a level that always did. */
      requiredFromMs: v.maybe.instant(),
      /** The level that counts until then. */
      requiredUntilThen: v.integer().default(1),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      index('searches accounts by the beginning of the name', 'nameKey', 'id'),
      index('lists the accounts of one owner', 'ownerId', 'id'),
      index('tells whether somebody has had a trial', 'openedById'),
      index('lists the accounts one partner created', 'createdByPartnerId', 'id'),
      index('finds closed accounts whose end is near', 'erasesAtMs'),
      index('finds the accounts that were closed along with a member', 'closedWithMemberId'),
      index('finds the accounts that a session may not see', 'requiredLevel', 'id'),
    ],
  );
