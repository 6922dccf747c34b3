import { randomBytes } from 'node:crypto';

/** A new secretKey: 43 characters, 256 random bits. */
export function generatePartnerSecret(): string {
  return randomBytes(32).toString('base64url');
}
