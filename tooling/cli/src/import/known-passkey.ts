import type { ForeignPasskey } from './foreign-line.js';
import { readCoseKey } from './read-cose-key.js';

/** How browsers reach an authenticator (WebAuthn Level 3, 5.8.4). */
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

const MAX_NAME = 64;

/** The note about people whose passkeys are of other kinds. */
export const UNKNOWN_PASSKEYS = 'passkeys with keys of other kinds than ES256, EdDSA and RS256';

/** A WebAuthn credential of another system, whose bytes are in base64 of either alphabet. Undefined if its key is of another kind. */
export function knownPasskey({
  id,
  publicKey: stored,
  name,
  transports = [],
  ...passkey
}: ForeignPasskey): ForeignPasskey | undefined {
  const publicKey = readCoseKey(stored);
  const bytes = Buffer.from(id, 'base64');
  if (publicKey === undefined || bytes.length === 0) return undefined;
  return {
    ...passkey,
    id: bytes.toString('base64url'),
    publicKey,
    name: name?.slice(0, MAX_NAME).replace(/[\uD800-\uDBFF]$/, ''),
    transports: TRANSPORTS.filter((each) => transports.includes(each)),
  };
}
