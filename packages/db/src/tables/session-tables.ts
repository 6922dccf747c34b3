import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** How the token of a session is sent: in the token header, or as a bearer. */
export type SessionKind = 'session' | 'bearer';

/** Longer device names are cut. */
export const MAX_DEVICE_LENGTH = 255;

/** The longest name a member gives a session, in characters. */
const MAX_DEVICE_NAME_LENGTH = 64;

/** Every sign-in that created a token, until the token has expired. */
export const defineSessions = (v: Vocabulary) =>
  v.table(
    'sessions',
    {
      id: v.id(),
      tokenKey: v.digest(),
      memberId: v.reference(),
      kind: v.string<SessionKind>(16),
      epoch: v.integer(),
      partnerId: v.maybe.reference(),
      /** The sign-in by an identity provider that it is of. */
      ssoLoginId: v.maybe.reference(),
      /** The impersonation it is of. Such a session is not the member's own. */
      impersonationId: v.maybe.reference(),
      /** The recovery whose ticket began it. Until a second factor is added, it allows nothing else. */
      recoveryId: v.maybe.reference(),
      device: v.string(MAX_DEVICE_LENGTH),
      address: v.string(64),
      createdAtMs: v.instant(),
      // Before `lastSeenAtMs`: MySQL assigns in this order, and it depends on the old instant.
      /** Whether the statistics know that the member was seen then. */
      isCounted: v.flag().default(false),
      lastSeenAtMs: v.instant(),
      expiresAtMs: v.instant(),
      endedAtMs: v.maybe.instant(),
      /** When the user of the session last verified that they are the member; null when a partner began it. */
      verifiedAtMs: v.maybe.instant(),
      /** The level of that verification: 2 with a second factor. */
      verifiedLevel: v.integer().default(1),
      /** How the session was authenticated, separated by blanks; null where that is not known. */
      amr: v.maybe.string(64),
      /** The highest level reached in the session. */
      level: v.integer().default(1),
      /** When the user signed in; null where that is not known. */
      authTimeMs: v.maybe.instant(),
      /** The first session of the chain of refreshed tokens it belongs to; null for that first one itself. */
      familyId: v.maybe.reference(),
      /** When the family ends however often it is refreshed; null where that is not known. */
      absoluteUntilMs: v.maybe.instant(),
      /** The name the member gave the family. */
      deviceName: v.maybe.string(MAX_DEVICE_NAME_LENGTH),
      /** When a refreshed token ends; null for the newest of its family. */
      retiresAtMs: v.maybe.instant(),
      /** The id of the token that replaced it, so that callers who refresh at once get the same one. */
      successorJti: v.maybe.string(64),
      /** When that token expires. */
      successorExpiresAtMs: v.maybe.instant(),
    },
    [
      unique('finds the session of a token', 'tokenKey'),
      index('lists and ends the sessions of a member', 'memberId', 'id'),
      index('ends the session of an impersonation', 'impersonationId'),
      index('ends the sessions of a sign-in by an identity provider', 'ssoLoginId'),
      index('removes sessions whose token has expired', 'expiresAtMs'),
      index('finds members whom the statistics have yet to see again', 'isCounted', 'id'),
    ],
  );

/** Invalid tokens: ended ones without a session row, and used one-use tokens. */
export const defineRevocations = (v: Vocabulary) =>
  v.table(
    'revocations',
    {
      tokenKey: v.digest().primaryKey(),
      expiresAtMs: v.instant(),
    },
    [index('removes revocations whose token has expired', 'expiresAtMs')],
  );

/**
 * The log of access changes for all nodes. A node remembers the ids it has read. A row without a subject is a
 * tombstone: it fills the id of a change that never happened.
 */
export const defineAccessChanges = (v: Vocabulary) =>
  v.table('access_changes', {
    id: v.id(),
    memberId: v.maybe.reference(),
    accountId: v.maybe.reference(),
    partnerId: v.maybe.reference(),
    applicationId: v.maybe.reference(),
    atMs: v.instant(),
  });

/** Up to which id the access log is known to be complete, and since when, by the database's clock. */
export const defineAccessCheckpoints = (v: Vocabulary) =>
  v.table(
    'access_checkpoints',
    {
      id: v.id(),
      changeId: v.reference(),
      atMs: v.instant(),
    },
    [unique('finds the newest checkpoint, and keeps one for each position', 'changeId')],
  );
