import { AppError } from '@gatehouse/auth-core';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import type { Services } from './services.js';

type Party = Pick<Services, 'relyingParty'>;

/** How many of a member's passkeys count here. */
export function countOwnPasskeys(
  { relyingParty }: Party,
  { passkeyRpIds }: { readonly passkeyRpIds: Iterable<string> },
): number {
  if (relyingParty === undefined) return 0;
  let own = 0;
  for (const rpId of passkeyRpIds) if (rpId === relyingParty.id) own += 1;
  return own;
}

/** Whether one of a member's passkeys counts here. */
export function hasOwnPasskey(services: Party, member: { readonly passkeyRpIds: Iterable<string> }): boolean {
  return countOwnPasskeys(services, member) > 0;
}

/**
 * The relying party of this deployment.
 * @throws {AppError} `passkeys_not_configured` where there can be no passkeys
 */
export function requireRelyingParty({ relyingParty }: Party): RelyingParty {
  if (relyingParty === undefined) throw new AppError('passkeys_not_configured');
  return relyingParty;
}
