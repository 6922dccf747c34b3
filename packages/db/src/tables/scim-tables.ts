import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** What the directories of accounts authenticate with. */
export const defineScimTokens = (v: Vocabulary) =>
  v.table(
    'scim_tokens',
    {
      id: v.id(),
      accountId: v.reference(),
      name: v.string(80),
      /** The end of the token, for lists. */
      lastFour: v.string(4),
      /** SHA-256 of the token. */
      digest: v.digest(),
      createdById: v.reference(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      revokedAtMs: v.maybe.instant(),
      /** True to the minute. */
      lastUsedAtMs: v.maybe.instant(),
      /** When the mail about its end is due; null for none. */
      noticeAtMs: v.maybe.instant(),
    },
    [
      unique('finds the token of a call', 'digest'),
      index('lists the tokens of an account', 'accountId', 'id'),
      index('finds the tokens whose end is near', 'noticeAtMs'),
    ],
  );

/** The last requests of directories. */
export const defineScimRequests = (v: Vocabulary) =>
  v.table(
    'scim_requests',
    {
      id: v.id(),
      accountId: v.reference(),
      tokenId: v.reference(),
      atMs: v.instant(),
      method: v.string(8),
      /** Without its query, which may name people. */
      path: v.string(200),
      status: v.integer(),
      /** Why it was refused; null where it was not. */
      error: v.maybe.string(300),
    },
    [index('lists the requests of an account', 'accountId', 'id')],
  );

/** An account's directory data about its members. Without a row, the profile of the member applies. */
export const defineScimUsers = (v: Vocabulary) =>
  v.table(
    'scim_users',
    {
      id: v.id(),
      membershipId: v.reference(),
      accountId: v.reference(),
      memberId: v.reference(),
      /** The name in the directory; null if there is none, and once the directory has deleted them. */
      externalId: v.maybe.key(255),
      givenName: v.maybe.string(100),
      familyName: v.maybe.string(100),
      displayName: v.maybe.string(200),
      email: v.maybe.string(320),
      isDeleted: v.flag().default(false),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('one user for a membership', 'membershipId'),
      unique("one user of a name in the account's directory", 'accountId', 'externalId'),
      index('lists what directories say of a member', 'memberId', 'id'),
    ],
  );

/** The groups of the directories of accounts. */
export const defineScimGroups = (v: Vocabulary) =>
  v.table(
    'scim_groups',
    {
      id: v.id(),
      accountId: v.reference(),
      displayName: v.string(255),
      displayNameKey: v.key(640),
      externalId: v.maybe.string(255),
      /** Grows with each change. */
      version: v.integer().default(1),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [unique('one group of a name in the directory of an account', 'accountId', 'displayNameKey')],
  );

/** Who is in which group. */
export const defineScimGroupMembers = (v: Vocabulary) =>
  v.table(
    'scim_group_members',
    {
      id: v.id(),
      accountId: v.reference(),
      groupId: v.reference(),
      membershipId: v.reference(),
    },
    [
      unique('lists the members of a group, each once', 'groupId', 'membershipId'),
      index('lists the groups of a user', 'membershipId', 'groupId'),
      index('erases the groups of an account', 'accountId', 'id'),
    ],
  );
