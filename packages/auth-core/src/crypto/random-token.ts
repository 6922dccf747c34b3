import { randomBytes } from 'node:crypto';

/** 256 random bits in base64url: 43 characters. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}
