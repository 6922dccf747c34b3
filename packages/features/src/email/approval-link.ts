import type { Services } from '../app/services.js';
import { appLink } from '../mail/app-link.js';

/**
 * A link to the page where the present mailbox answers a change of address.
 * @param sinceMs when the change was requested, which identifies it
 */
export function approvalLink(
  { config, tokens }: Pick<Services, 'config' | 'tokens'>,
  { memberId, sinceMs }: { memberId: number; sinceMs: number },
): string {
  const { token } = tokens.sealOneUse(
    { type: 'emailApproval', userId: memberId, sinceMs },
    config.JWT_EXPIRES_IN,
  );
  return appLink(config, 'email-approval', token);
}
