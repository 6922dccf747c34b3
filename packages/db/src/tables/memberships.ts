import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The role of a member in an account. */
export const defineMemberships = (v: Vocabulary) =>
  v.table(
    'memberships',
    {
      id: v.id(),
      memberId: v.reference(),
      accountId: v.reference(),
      roleType: v.integer(),
      /** The custom role. It takes precedence over `roleType`. */
      customRoleId: v.maybe.reference(),
      isDeleted: v.flag().default(false),
      active: v.flag().default(true),
      /**
       * When it was switched off because the owner of an address took over the member who owns the account. Null once
       * that owner has decided.
       */
      heldSinceMs: v.maybe.instant(),
      /** Ended by the member's deletion. Restoring the member restores it, without access if it is not `active`. */
      endedWithMember: v.flag().default(false),
      /** Whether one that is not `active` awaits an owner's approval, after its member or account came back. */
      awaitsOwner: v.flag().default(false),
      /** Who gave the role. Null if unknown, and for the member who opened the account. */
      grantedById: v.maybe.reference(),
      // The key of the member's username, null until it is known.
      name: v.maybe.key(640),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique(
        'one membership per member and account; reads the accounts of a member',
        'memberId',
        'accountId',
      ),
      index(
        'pages through the members of an account, and searches them by name',
        'accountId',
        'isDeleted',
        'active',
        'memberId',
        'name',
      ),
      index('lists the owners among all members', 'roleType', 'memberId'),
      index('tells whether anybody has a custom role', 'customRoleId'),
    ],
  );
