import { emailKey } from './email-key.js';
import { usernameKey } from './username-key.js';

/**
 * Whether a username holds an `@` and is not the member's own address. Nobody gets such a name: others would take them for
 * the owner of that address.
 * @param email the member's own address, null if they have none
 */
export function isForeignAddress(username: string, email: string | null): boolean {
  if (!usernameKey(username).includes('@')) return false;
  return email === null || emailKey(username) !== emailKey(email);
}
