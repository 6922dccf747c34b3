import type { StepMethod } from '@gatehouse/auth-core';
import type { MemberFactors } from '@gatehouse/db';
import type { AuthenticationMethod } from '../../core/app/authentication.js';
import { hasOwnPasskey } from '../../core/app/own-passkeys.js';
import type { Services } from '../../core/app/services.js';

/**
 * The second steps that a sign-in may take. A mailed code is one only where there is neither passkey nor
 * authenticator app, not for staff, and not after a mail was the first factor.
 */
export function stepMethods(
  services: Pick<Services, 'relyingParty'>,
  factors: MemberFactors,
  proved: readonly AuthenticationMethod[],
): StepMethod[] {
  const hasPasskey = hasOwnPasskey(services, factors);
  const hasTotp = factors.totpConfirmedAtMs !== null;
  const hasStronger = hasTotp || hasPasskey;
  const mayMail = factors.emailStep && !hasStronger && mayStepByMail(factors) && !isByMail(proved);
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasTotp ? (['totp'] as const) : []),
    ...(mayMail ? (['email'] as const) : []),
    ...(factors.backupCodesLeft > 0 ? (['backupCode'] as const) : []),
  ];
}

/** Whether the first factor was a mail. */
export function isByMail(proved: readonly AuthenticationMethod[]): boolean {
  return proved.includes('otp-mail') || proved.includes('email');
}

/** Whether a mailed code may be the second step of a member: they have a confirmed address and are not staff. */
export function mayStepByMail({ isPersonnel, email, emailConfirmedAtMs }: MemberFactors): boolean {
  return !isPersonnel && email !== null && emailConfirmedAtMs !== null;
}
