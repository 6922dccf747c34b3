import { z } from 'zod';
import { canonicalAddress, foldAddress, vouchedAddress } from './canonical-address.js';
import { storableText } from './text-schemas.js';
import { usernameKey } from './username.js';

/**
 * The form in which a login name is unique and looked up: the canonical form of an e-mail address; NFKC, lower
 * case, trimmed for anything else (`google:123`). Idempotent. Accepts any text.
 */
export function emailKey(text: string): string {
  return canonicalAddress(text) ?? foldAddress(text);
}

/** Longer than an address may be, because normalization shortens full-width and decomposed text. */
const MAX_TYPED_LENGTH = 320;

/** An e-mail address as typed by a person, of which the canonical form is kept (`canonicalAddress`). */
export const emailSchema = z
  .string()
  .trim()
  .pipe(storableText(MAX_TYPED_LENGTH))
  .transform((text, { addIssue }) => {
    const address = canonicalAddress(text);
    if (address === undefined) addIssue({ code: 'custom', message: 'must be an email address' });
    return address ?? z.NEVER;
  });

/** An e-mail address that a partner or an import vouches for, of which the canonical form is kept (`vouchedAddress`). */
export const vouchedEmailSchema = storableText(MAX_TYPED_LENGTH).transform((text, { addIssue }) => {
  const address = vouchedAddress(text);
  if (address === undefined)
    addIssue({ code: 'custom', message: 'must be an email address in its normal form (NFKC, any case)' });
  return address ?? z.NEVER;
});

/**
 * Whether a username holds an `@` and is not the member's own address. Nobody gets such a name: others would take them for
 * the owner of that address.
 * @param email the member's own address, null if they have none
 */
export function isForeignAddress(username: string, email: string | null): boolean {
  if (!usernameKey(username).includes('@')) return false;
  return email === null || emailKey(username) !== emailKey(email);
}
