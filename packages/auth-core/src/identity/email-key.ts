import { canonicalAddress, foldAddress } from './canonical-address.js';

/**
 * The form in which a login name is unique and looked up: the canonical form of an e-mail address; NFKC, lower
 * case, trimmed for anything else (`google:123`). Idempotent. Accepts any text.
 */
export function emailKey(text: string): string {
  return canonicalAddress(text) ?? foldAddress(text);
}
