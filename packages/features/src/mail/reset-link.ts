import type { Services } from '../core/context.js';
import { appLink } from './app-link.js';

/** Whose password a link sets: nobody's any more once the address or the password has changed. */
export interface ResetSubject {
  readonly id: number;
  readonly email: string;
  readonly passwordChangedAtMs: number | null;
}

/** A link that sets a password once, within `ttlSeconds`. It is for the mail alone. */
export function resetLink(
  { tokens, config }: Pick<Services, 'tokens' | 'config'>,
  { id: userId, email, passwordChangedAtMs }: ResetSubject,
  ttlSeconds: number,
): string {
  const { token } = tokens.sealOneUse(
    { type: 'passwordReset', userId, email, passwordChangedAtMs },
    ttlSeconds,
  );
  return appLink(config, 'reset', token);
}
