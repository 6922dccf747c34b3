import { isPasswordHash } from './is-password-hash.js';
import { fitsBcrypt, normalizePassword } from './password-characters.js';

/**
 * The password of a row that was declared to be plain text, to be hashed before it is compared. Undefined for every other
 * stored value: an unknown text may be the hash of another system, with which whoever has seen it would sign in.
 */
export function plainPassword(stored: {
  readonly password: string;
  readonly passwordIsPlain: boolean;
}): string | undefined {
  return stored.passwordIsPlain && mayBePlain(stored.password) ? stored.password : undefined;
}

/** Whether a text can be a declared plain password: no hash of ours, and short enough for bcrypt. */
export function mayBePlain(text: string): boolean {
  return text !== '' && !isPasswordHash(text) && fitsBcrypt(normalizePassword(text));
}
