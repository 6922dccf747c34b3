import { createHmac, randomBytes } from 'node:crypto';
import { timingSafeEqualText } from './crypto/timing-safe-equal-text.js';

const SHAPE = /^[0-9a-f]{6}$/i;

/** Whose one-time password it is, and the service's secret without which its digest cannot be guessed. */
export interface OneTimePasswordContext {
  readonly memberId: number;
  readonly secret: string;
}

/** Three random bytes in lower-case hexadecimal, to be mailed and never stored. */
export function generateOneTimePassword(random: (byteCount: number) => Buffer = randomBytes): string {
  return random(3).toString('hex');
}

/**
 * What is stored of a one-time password: HMAC-SHA256 in hexadecimal, bound to the member. A plain
 * digest would be no protection, since there are only 2^24 one-time passwords to try.
 */
export function digestOneTimePassword(password: string, context: OneTimePasswordContext): string {
  return createHmac('sha256', context.secret)
    .update(`one-time-password:${context.memberId}:${password.toLowerCase()}`)
    .digest('hex');
}

/** Whether what was submitted is that one-time password, whatever its case and the blanks around it. Only strings ever match. */
export function matchesOneTimePassword(
  submitted: unknown,
  digest: string,
  context: OneTimePasswordContext,
): boolean {
  if (typeof submitted !== 'string') return false;
  const password = submitted.trim();
  return SHAPE.test(password) && timingSafeEqualText(digestOneTimePassword(password, context), digest);
}
