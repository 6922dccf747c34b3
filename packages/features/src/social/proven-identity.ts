import type { SocialProfile } from './providers/social-profile.js';
import type { ProviderTokens } from './token-answer.js';

/** Who somebody is at a provider, as that provider has just told us, and the tokens it gave us. */
export interface ProvenIdentity {
  readonly providerId: number;
  readonly profile: SocialProfile;
  readonly tokens: ProviderTokens;
}
