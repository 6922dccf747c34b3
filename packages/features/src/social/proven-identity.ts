import type { SocialProfile } from '../core/social-providers/social-profile.js';
import type { ProviderTokens } from './token-answer.js';

/** A person's identity as a provider has just reported it, with the tokens it issued. */
export interface ProvenIdentity {
  readonly providerId: number;
  readonly profile: SocialProfile;
  readonly tokens: ProviderTokens;
}
