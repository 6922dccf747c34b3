import { facebook } from './facebook.js';
import { github } from './github.js';
import { google } from './google.js';
import { linkedin } from './linkedin.js';
import type { SocialProvider } from './social-provider.js';
import type { SocialProviderKey } from './social-provider-key.js';
import { tiktok } from './tiktok.js';
import { twitter } from './twitter.js';

/** The providers in the order they are offered. A deployment may change each address. */
export const SOCIAL_PROVIDERS: Readonly<Record<SocialProviderKey, SocialProvider>> = {
  google,
  github,
  facebook,
  linkedin,
  twitter,
  tiktok,
};

/** The keys, in the order in which they are offered. */
export const SOCIAL_PROVIDER_KEYS = Object.values(SOCIAL_PROVIDERS).map(({ key }) => key);

/** The provider with a key, in any case; undefined for anything else. */
export function findSocialProvider(key: string): SocialProvider | undefined {
  const known = SOCIAL_PROVIDER_KEYS.find((each) => each === key);
  return known && SOCIAL_PROVIDERS[known];
}

/** The provider with a stored number; undefined for an unknown one. */
export function findSocialProviderById(providerId: number): SocialProvider | undefined {
  return Object.values(SOCIAL_PROVIDERS).find((provider) => provider.providerId === providerId);
}
