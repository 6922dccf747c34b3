import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

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
      /** The relying party it was made for. It counts for no other. */
      rpId: v.string(255),
      /** The signature counter of the last use. */
      counter: v.instant().default(0),
      /** Whether the passkey may be copied between devices. It never changes. */
      backupEligible: v.flag(),
      backedUp: v.flag(),
      /** How browsers reach the authenticator, separated by blanks. */
      transports: v.string(128),
      name: v.string(64),
      createdAtMs: v.instant(),
      lastUsedAtMs: v.maybe.instant(),
      /** When a counter that went back showed a copy. Such a passkey counts no more. */
      suspectAtMs: v.maybe.instant(),
    },
    [
      unique('finds the passkey of a sign-in', 'credentialKey'),
      index('lists the passkeys of a member', 'memberId', 'id'),
    ],
  );
