import { facebook } from './facebook.js';
import { github } from './github.js';
import { google } from './google.js';
import { linkedin } from './linkedin.js';
import type { SocialProvider } from './social-provider.js';
import { tiktok } from './tiktok.js';
import { twitter } from './twitter.js';

const listed = [
  google,
  github,
  facebook,
  linkedin,
  twitter,
  tiktok,
] as const satisfies readonly SocialProvider[];

/**
 * The providers in the order they are offered. Keys, variables, `.env.example` and documents follow from this list. A
 * deployment may change each address.
 */
export const SOCIAL_PROVIDERS: readonly SocialProvider[] = listed;

/**
 * The keys of the providers. The published client includes this type, and must not include the table of
 * providers.
 */
export const SOCIAL_PROVIDER_KEYS = listed.map(({ key }) => key);

/** Providers' names for callers. */
export type SocialProviderKey = (typeof SOCIAL_PROVIDER_KEYS)[number];

/** The provider with a key in callers' spelling; undefined for anything else. */
export function findSocialProvider(key: string): SocialProvider | undefined {
  return SOCIAL_PROVIDERS.find((provider) => provider.key === key);
}

/** The provider with a stored number; undefined for an unknown one. */
export function findSocialProviderById(providerId: number): SocialProvider | undefined {
  return SOCIAL_PROVIDERS.find((provider) => provider.providerId === providerId);
}
