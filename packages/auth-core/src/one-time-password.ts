import { createHmac, randomBytes } from 'node:crypto';
import { timingSafeEqualText } from './crypto/random-and-digest.js';
import { readTyped } from './factor/one-time-codes.js';

const SHAPE = /^[0-9a-f]{6}$/i;

/**
 * The member of a one-time password, the address it is mailed to, and the service's secret. Its digest cannot be guessed without
 * that secret.
 */
export interface OneTimePasswordContext {
  readonly memberId: number;
  readonly emailKey: string;
  readonly secret: string;
}

/** Three random bytes in lower-case hexadecimal, to be mailed and never stored. */
export function generateOneTimePassword(random: (byteCount: number) => Buffer = randomBytes): string {
  return random(3).toString('hex');
}

/**
 * The stored form of a one-time password: HMAC-SHA256 in hexadecimal, bound to the member and the address. A plain
 * digest would not protect it, since there are only 2^24 one-time passwords.
 */
export function digestOneTimePassword(password: string, context: OneTimePasswordContext): string {
  return createHmac('sha256', context.secret)
    .update(`one-time-password:${context.memberId}:${password.toLowerCase()}:${context.emailKey}`)
    .digest('hex');
}

/** Whether the submitted value is that one-time password, as people type or paste it, in any case. Only strings match. */
export function matchesOneTimePassword(
  submitted: unknown,
  digest: string,
  context: OneTimePasswordContext,
): boolean {
  if (typeof submitted !== 'string') return false;
  const password = readTyped(submitted);
  return SHAPE.test(password) && timingSafeEqualText(digestOneTimePassword(password, context), digest);
}
