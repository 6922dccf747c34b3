import { z } from 'zod';

/** The length of the column. */
const LONGEST_HREF = 1000;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of a partner's front end: an https URL, or http on the loopback. No user, query or fragment,
 * because the login URL appends to it. Trailing slashes are dropped.
 */
export const appUrlSchema = z
  .string()
  .max(500)
  .refine((text) => !/[\s\\]/.test(text) && URL.canParse(text), { message: 'must be a URL' })
  .refine((text) => !URL.canParse(text) || isFrontEnd(new URL(text)), {
    message: 'must be https (http on the loopback only), without user, query or fragment',
  })
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

function isFrontEnd({ protocol, hostname, username, password, search, hash, href }: URL): boolean {
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return (
    isSafe &&
    href.length <= LONGEST_HREF &&
    `${username}${password}${search}${hash}` === '' &&
    !/[?#]/.test(href)
  );
}
