import { parseUrl, storableText, usernameSchema } from '@gatehouse/auth-core';
import { isPublishedSecret } from '@gatehouse/runtime/config/secrets';
import { z } from 'zod';

const MOST = 64;

/**
 * A partner's name, which its systems send as partnerId: 1 to 64 characters, unique regardless of case, width
 * and accents. It must not be digits only, because those are our numbers.
 */
export const partnerNameSchema = usernameSchema
  .refine((name) => name.length <= MOST, { message: `must have at most ${MOST} characters` })
  .refine((name) => !/^\d+$/.test(name.normalize('NFKC')), { message: 'must not be a number' });

/** The length of the column. */
const MAX_HREF_LENGTH = 1000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of a partner's front end: an https URL, or http on the loopback. No user, query or fragment,
 * because the login URL appends to it. Trailing slashes are dropped.
 */
export const appUrlSchema = z
  .string()
  .max(500)
  .refine((text) => !/[\s\\]/.test(text) && parseUrl(text), { message: 'must be a URL' })
  .refine((text) => isFrontEnd(parseUrl(text)), {
    message: 'must be https (http on the loopback only), without user, query or fragment',
  })
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

/** Also true for a text that is not a URL, which another sentence reports. */
function isFrontEnd(url: URL | undefined): boolean {
  if (url === undefined) return true;
  const { protocol, hostname, username, password, search, hash, href } = url;
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return (
    isSafe &&
    href.length <= MAX_HREF_LENGTH &&
    `${username}${password}${search}${hash}` === '' &&
    !/[?#]/.test(href)
  );
}

/** The id that another system gave a partner, kept as it is: 1 to 128 characters without blanks around them. */
export const partnerExternalIdSchema = storableText(128).refine((id) => id === id.trim(), {
  message: 'must not begin or end with a blank',
});

/** A partner's existing secretKey: 32 to 200 characters, and not one from the documents. */
export const partnerSecretSchema = storableText(200)
  .refine((secret) => secret.length >= 32, { message: 'must have at least 32 characters' })
  .refine((secret) => !isPublishedSecret(secret), { message: 'is published with this software' });

/** The input for a new partner. The secretKey is generated unless the partner has one. */
export const newPartnerSchema = z.object({
  name: partnerNameSchema,
  appUrl: appUrlSchema,
  externalId: partnerExternalIdSchema.optional(),
  secretKey: partnerSecretSchema.optional(),
});

export type NewPartner = z.output<typeof newPartnerSchema>;
