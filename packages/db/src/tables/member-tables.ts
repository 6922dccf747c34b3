import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** The language of a member's mails. */
export type Locale = 'en' | 'de';

/**
 * The mailboxes that must still agree to a change of address: the old, the new, or both. `proven` awaits the old
 * one, after the new one was confirmed together with the password or a session.
 */
export type PendingAwaits = 'old' | 'new' | 'both' | 'proven';

/** People who sign in, staff among them. */
export const defineMembers = (v: Vocabulary) =>
  v.table(
    'members',
    {
      id: v.id(),
      sid: v.string(320),
      sidKey: v.key(640),
      username: v.string(255),
      usernameKey: v.key(640),
      firstName: v.string(255),
      firstNameKey: v.key(640),
      lastName: v.string(255),
      lastNameKey: v.key(640),
      email: v.maybe.string(320),
      emailKey: v.maybe.key(640),
      emailConfirmedAtMs: v.maybe.instant(),
      /** When the address was proved together with the password or a session; null until then. */
      ownerProvenAtMs: v.maybe.instant(),
      pendingEmail: v.maybe.string(320),
      pendingEmailKey: v.maybe.key(640),
      /** If it is null with a pending address, only the new mailbox must still confirm. */
      pendingAwaits: v.maybe.string<PendingAwaits>(8),
      pendingSinceMs: v.maybe.instant(),
      /** When an agreement of the old mailbox without a password or a session takes effect; null without one. */
      pendingEffectiveAtMs: v.maybe.instant(),
      password: v.string(255),
      /** Whether the operator declared that the stored password is the password itself, still to be hashed. */
      passwordIsPlain: v.flag().default(false),
      /** Bcrypt rounds of one comparison, for hashes not of our own cost. */
      passwordRounds: v.maybe.integer(),
      /** Milliseconds that a slow machine takes to compare the hash of another system; null for bcrypt. */
      passwordDelayMs: v.maybe.integer(),
      passwordChangedAtMs: v.maybe.instant(),
      /** When a sign-in showed that the password is one of those tried first; null for others. */
      passwordListedAtMs: v.maybe.instant(),
      /** False while the stored password is a random one nobody knows. */
      hasPassword: v.flag().default(true),
      locale: v.string<Locale>(8).default('en'),
      roleType: v.integer(),
      role: v.string(64),
      /**
       * The base role to restore after a ban. During the ban `roleType` is 11, and `role` is still the label
       * of this role.
       */
      bannedRoleType: v.maybe.integer(),
      /** When the ban ends. Null for a ban without an end. */
      bannedUntilMs: v.maybe.instant(),
      bannedAtMs: v.maybe.instant(),
      bannedById: v.maybe.reference(),
      banReason: v.maybe.string(500),
      /** Whether it is a machine, which has the rest of its data in `machines`. */
      isMachine: v.flag().default(false),
      isPersonnel: v.flag().default(false),
      personnelEndedAtMs: v.maybe.instant(),
      isDeleted: v.flag().default(false),
      deletedAtMs: v.maybe.instant(),
      /** The member of staff who deleted them. */
      deletedById: v.maybe.reference(),
      /** When a self-deleted member's data is due for erasure. Null once that is done. */
      erasesAtMs: v.maybe.instant(),
      erasedAtMs: v.maybe.instant(),
      authTokenDigest: v.maybe.digest(),
      authTokenExpiresAtMs: v.maybe.instant(),
      sessionEpoch: v.integer().default(0),
      tokensValidAfterMs: v.instant().default(0),
      /** Counts the changes of second factors and of the address: a sign-in begun before one is refused. */
      factorEpoch: v.integer().default(0),
      /** Whether every sign-in takes a second step. */
      secondFactor: v.flag().default(false),
      /** Whether a mailed code may be the second step. */
      emailStep: v.flag().default(false),
      /** The user id in the member's passkeys: 32 random bytes in base64url. Null until the first. */
      passkeyUserId: v.maybe.string(43),
      /** The impersonation that a member of staff has begun and not ended. There is one at a time. */
      impersonationId: v.maybe.reference(),
      /** Whether the statistics have counted the sign-up. */
      isCounted: v.flag().default(false),
      /** How many events there were about them. */
      eventVersion: v.integer().default(0),
      defaultPaymentId: v.integer().default(2),
      createdByPartnerId: v.maybe.reference(),
      /** The account whose identity provider brought them, and whose sign-in is as good as their own. */
      managedByAccountId: v.maybe.reference(),
      lastLoginAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('one member per login identifier; finds the caller of a login', 'sidKey'),
      unique('one member per username, whatever its case, width, accents and blanks', 'usernameKey'),
      unique(
        'one member per e-mail address; finds the caller of a login and the receiver of a reset',
        'emailKey',
      ),
      unique('finds the staff member an auth_token belongs to', 'authTokenDigest'),
      index('tells how many rounds every comparison takes', 'passwordRounds'),
      index('tells how long the refusal of a password waits', 'passwordDelayMs'),
      index('finds the members whose grace is over', 'erasesAtMs'),
      index(
        'finds the changes of address that the old mailbox agreed to an hour ago',
        'pendingEffectiveAtMs',
      ),
      index('lists staff, and staff of one role', 'isPersonnel', 'roleType', 'id'),
      index('lists staff who were switched off', 'personnelEndedAtMs', 'id'),
      index('finds members whom the statistics have yet to count', 'isCounted', 'id'),
      index('lists members by their last sign-in', 'lastLoginAtMs', 'id'),
    ],
  );

/** Confirmed addresses that members have replaced, for the seven days in which they still get mails about a recovery. */
export const defineFormerAddresses = (v: Vocabulary) =>
  v.table(
    'former_addresses',
    {
      id: v.id(),
      memberId: v.reference(),
      email: v.string(320),
      /** When another address replaced it. */
      untilMs: v.instant(),
    },
    [
      index('finds the address a member had some days ago', 'memberId', 'untilMs'),
      index('removes addresses that nobody needs any more', 'untilMs'),
    ],
  );

/** The subjects of an account's conversations. */
export const defineSubjects = (v: Vocabulary) =>
  v.table(
    'subjects',
    {
      id: v.id(),
      accountId: v.reference(),
      name: v.string(255),
      isDeleted: v.flag().default(false),
      deletedAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
    },
    [index('pages through the subjects of an account', 'accountId', 'isDeleted', 'id')],
  );

/** What an id of another system belongs to. */
export type ForeignKind = 'member' | 'account';

/** The ids that members and accounts had in the systems they were imported from. */
export const defineForeignIds = (v: Vocabulary) =>
  v.table(
    'foreign_ids',
    {
      id: v.id(),
      kind: v.string<ForeignKind>(8),
      /** The system: the kind of the import, or the name that the operator gave. */
      source: v.key(64),
      foreignId: v.key(255),
      memberId: v.maybe.reference(),
      accountId: v.maybe.reference(),
      createdAtMs: v.instant(),
    },
    [
      unique('finds whom an id of another system belongs to', 'foreignId', 'source', 'kind'),
      index('lists the ids of a member in other systems', 'memberId', 'id'),
      index('lists the ids of an account in other systems', 'accountId', 'id'),
    ],
  );
