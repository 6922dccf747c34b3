import { findSocialProviderById } from '../core/social-providers/social-providers.js';

/** The login identifier of a member from a provider without an address: `<key>:<id>`. */
export function identitySid(identity: {
  readonly providerId: number;
  readonly profile: { readonly providerUserId: string };
}): string {
  const provider = findSocialProviderById(identity.providerId);
  if (!provider) throw new TypeError(`no provider has the number ${identity.providerId}`);
  return `${provider.key}:${identity.profile.providerUserId}`;
}
