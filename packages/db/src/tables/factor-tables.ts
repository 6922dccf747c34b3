import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';
import type { SessionKind } from './session-tables.js';

/** The authenticator app of a member: RFC 6238. */
export const defineTotpFactors = (v: Vocabulary) =>
  v.table(
    'totp_factors',
    {
      id: v.id(),
      memberId: v.reference(),
      /** The secret in force, encrypted; null until the first code is confirmed. */
      secret: v.maybe.secret(),
      confirmedAtMs: v.maybe.instant(),
      /** The time step of the last code used. */
      lastStep: v.instant().default(0),
      /** The secret that awaits its first code, encrypted. */
      pendingSecret: v.maybe.secret(),
      pendingSinceMs: v.maybe.instant(),
      createdAtMs: v.instant(),
    },
    [unique('one authenticator app per member', 'memberId')],
  );

/** The backup codes of a member, each valid once in place of the second factor. */
export const defineBackupCodes = (v: Vocabulary) =>
  v.table(
    'backup_codes',
    {
      id: v.id(),
      memberId: v.reference(),
      /** Keyed by the data encryption key. */
      digest: v.digest(),
      createdAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [unique('finds the code somebody typed', 'memberId', 'digest')],
  );

/** The passkeys of members: WebAuthn credentials with a user verification. */
export const definePasskeys = (v: Vocabulary) =>
  v.table(
    'passkeys',
    {
      id: v.id(),
      memberId: v.reference(),
      /** The digest of the credential's id, because ids are longer than what MySQL indexes. */
      credentialKey: v.digest(),
      /** The credential's id, in base64url. */
      credentialId: v.text(),
      /** The public key as COSE (RFC 9052), in base64url. */
      publicKey: v.text(),
      /** The relying party for which it was made. It is not valid for any other. */
      rpId: v.string(255),
      /** The signature counter of the last use. */
      counter: v.instant().default(0),
      /** The user id that the passkey reports, in base64url. Null for an imported one that has not been used here. */
      userHandle: v.maybe.string(128),
      /**
       * Whether the passkey may be copied between devices. It never changes. Null until the first use of an imported one reveals
       * it.
       */
      backupEligible: v.maybe.flag(),
      backedUp: v.flag(),
      /** How browsers reach the authenticator, separated by blanks. */
      transports: v.string(128),
      name: v.string(64),
      createdAtMs: v.instant(),
      lastUsedAtMs: v.maybe.instant(),
      /** When a counter that went back revealed a copy. Such a passkey is no longer accepted. */
      suspectAtMs: v.maybe.instant(),
    },
    [
      unique('finds the passkey of a sign-in', 'credentialKey'),
      index('lists the passkeys of a member', 'memberId', 'id'),
    ],
  );

/** Codes that were mailed to prove a mailbox, each to one challenge or one session. */
export const defineMailedCodes = (v: Vocabulary) =>
  v.table(
    'mailed_codes',
    {
      id: v.id(),
      /** The digest of the challenge or session that asked. */
      boundKey: v.digest(),
      memberId: v.reference(),
      /** Counts the codes of a challenge or session. */
      serial: v.integer().default(1),
      /** Keyed by the data encryption key. */
      digest: v.digest(),
      attempts: v.integer().default(0),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [
      unique('lets one of several requests at once make the next code', 'boundKey', 'serial'),
      index('removes the codes of a member who is erased', 'memberId'),
      index('removes codes that have expired', 'expiresAtMs'),
    ],
  );

/** Sign-ins whose first factor was right and whose second step is still to come. */
export const defineSignInChallenges = (v: Vocabulary) =>
  v.table(
    'sign_in_challenges',
    {
      id: v.id(),
      challengeKey: v.digest(),
      memberId: v.reference(),
      /** The member's factors at the first factor. A change since then ends the challenge. */
      factorEpoch: v.integer(),
      sessionEpoch: v.integer(),
      passwordDigest: v.digest(),
      kind: v.string<SessionKind>(16),
      partnerId: v.maybe.reference(),
      /** The sign-in by an identity provider that was the first step. */
      ssoLoginId: v.maybe.reference(),
      application: v.string(16),
      /** The deployment and the client it was made for. */
      deployment: v.string(16),
      clientDigest: v.digest(),
      originDigest: v.maybe.digest(),
      /** The cookie of the browser that asked, in cookie mode. */
      cookieDigest: v.maybe.digest(),
      /** How the first factor was authenticated. */
      amr: v.string(64),
      attempts: v.integer().default(0),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [
      unique('finds the challenge of a second step', 'challengeKey'),
      index('ends the challenges of a member who is erased', 'memberId'),
      index('removes challenges that have expired', 'expiresAtMs'),
    ],
  );

/** One-use tickets that an operator prints, with which staff add their first factor. */
export const defineEnrolmentTickets = (v: Vocabulary) =>
  v.table(
    'enrolment_tickets',
    {
      id: v.id(),
      /** The digest of the ticket, of which there is no copy. */
      ticketKey: v.digest(),
      memberId: v.reference(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [
      unique('finds a ticket', 'ticketKey'),
      index('ends the tickets of a member', 'memberId'),
      index('removes tickets that have expired', 'expiresAtMs'),
    ],
  );

/** How a recovery ended. */
export type RecoveryOutcome = 'canceled' | 'signedIn' | 'expired' | 'completed';

/** Recoveries: staff let a member who lost every second factor add a new one, after a wait. */
export const defineRecoveries = (v: Vocabulary) =>
  v.table(
    'recoveries',
    {
      id: v.id(),
      memberId: v.reference(),
      /** The member, until the recovery has ended. */
      openKey: v.maybe.reference(),
      openedById: v.reference(),
      reason: v.string(500),
      /** Whether another member of staff has to agree. */
      needsApproval: v.flag(),
      approvedById: v.maybe.reference(),
      approvedAtMs: v.maybe.instant(),
      openedAtMs: v.instant(),
      /** When the ticket is made, at the earliest. */
      effectiveAtMs: v.instant(),
      /** Keyed by the data encryption key; null until the ticket was mailed. */
      ticketDigest: v.maybe.digest(),
      ticketExpiresAtMs: v.maybe.instant(),
      /** When a sign-in used the ticket. */
      ticketUsedAtMs: v.maybe.instant(),
      endedAtMs: v.maybe.instant(),
      /** Who canceled it; null if it was not canceled. */
      endedById: v.maybe.reference(),
      outcome: v.maybe.string<RecoveryOutcome>(16),
    },
    [
      unique('one open recovery per member', 'openKey'),
      index('lists the recoveries of a member', 'memberId', 'id'),
      index('counts what one member of staff opened', 'openedById', 'openedAtMs'),
      index('finds recoveries whose ticket is due or over', 'endedAtMs', 'effectiveAtMs'),
    ],
  );
