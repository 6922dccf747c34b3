import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** The single sign-on of an account, as far as access depends on it. */
export interface AccountSso {
  /** Whether only sessions of its connections reach the account. */
  readonly required: boolean;
  /** The owners who may sign in another way while it is required. */
  readonly exemptIds: readonly number[];
  /** The connections that are on, oldest first. */
  readonly connections: readonly {
    readonly id: number;
    readonly key: string;
    readonly name: string;
    readonly epoch: number;
  }[];
}

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
      erasureNotifiedAtMs: v.maybe.instant(),
      erasedAtMs: v.maybe.instant(),
      /** The level of authentication that a session needs to act in it; 1 asks nothing more. */
      requiredLevel: v.integer().default(1),
      /** Since when that level applies; null for a level that always did. */
      requiredFromMs: v.maybe.instant(),
      /** The level that applies until then. */
      requiredUntilThen: v.integer().default(1),
      /** Whether members may let applications and agents act in it. */
      allowsAgents: v.flag().default(true),
      /** Hosts whose documents describe no application that may act there; null for none. */
      blockedClientHosts: v.maybe.json<string[]>(),
      /** Its active connections, and whether its members must use them; null if it never had one. */
      sso: v.maybe.json<AccountSso>(),
      /** How many events there were about it. */
      eventVersion: v.integer().default(0),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      index('pages through accounts by name', 'nameKey', 'id'),
      index('lists the accounts of one owner', 'ownerId', 'id'),
      index('tells whether somebody has had a trial', 'openedById'),
      index('lists the accounts one partner created', 'createdByPartnerId', 'id'),
      index('finds closed accounts whose end is near', 'erasesAtMs'),
      index('finds the accounts that were closed along with a member', 'closedWithMemberId'),
      index('finds the accounts that a session may not see', 'requiredLevel', 'id'),
    ],
  );

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
      /** Whether the account's directory has switched off a removed one, so that it returns unchanged. */
      endedByDirectory: v.flag().default(false),
      /** Whether one that is not `active` awaits an owner's approval, after its member or account came back. */
      awaitsOwner: v.flag().default(false),
      /** Who gave the role. Null if unknown, and for the member who opened the account. */
      grantedById: v.maybe.reference(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique(
        'one membership per member and account; reads the accounts of a member',
        'memberId',
        'accountId',
      ),
      index('pages through the members of an account', 'accountId', 'isDeleted', 'active', 'memberId'),
      index('lists the owners among all members', 'roleType', 'memberId'),
      index('tells whether anybody has a custom role', 'customRoleId'),
    ],
  );

/** The custom roles of accounts. */
export const defineCustomRoles = (v: Vocabulary) =>
  v.table(
    'custom_roles',
    {
      id: v.id(),
      accountId: v.reference(),
      name: v.string(60),
      nameKey: v.key(640),
      /** The built-in role it ranks as. Older clients see that one. */
      roleType: v.integer(),
      /** All permissions of the role. */
      permissions: v.json<string[]>(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [unique('one role of a name in an account; reads the roles of an account', 'accountId', 'nameKey')],
  );

/**
 * How an invitation ended, or `open`. Whether an open one has expired or is void is computed when it is read.
 */
export type InvitationStatus = 'open' | 'accepted' | 'declined' | 'revoked';

/** Who was invited into which account, in which role. */
export const defineInvitations = (v: Vocabulary) =>
  v.table(
    'invitations',
    {
      id: v.id(),
      accountId: v.reference(),
      email: v.string(320),
      emailKey: v.key(640),
      /** The key of the address while the invitation is open, null afterwards. */
      openKey: v.maybe.key(640),
      roleType: v.integer(),
      /** The custom role. It takes precedence over `roleType`. */
      customRoleId: v.maybe.reference(),
      status: v.string<InvitationStatus>(16),
      inviterId: v.reference(),
      /** The newest link, the only valid one; null until it is created. */
      tokenKey: v.maybe.digest(),
      /** The newest mail; null while it was held. */
      mailId: v.maybe.reference(),
      lastSentAtMs: v.maybe.instant(),
      expiresAtMs: v.instant(),
      /** The same time until its event is due; null afterwards. */
      untoldExpiryMs: v.maybe.instant(),
      endedAtMs: v.maybe.instant(),
      /** The member who accepted, declined or revoked it. Null when it was declined by the link alone. */
      endedById: v.maybe.reference(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('one open invitation of an address in an account', 'accountId', 'openKey'),
      index('lists the invitations of an account', 'accountId', 'id'),
      index('finds the invitations to an address', 'emailKey', 'id'),
      index('lists what one member sent, for their export', 'inviterId', 'id'),
      index('tells of those that have expired', 'untoldExpiryMs'),
    ],
  );
