import { endpoint } from '@gatehouse/runtime/config/config-values';
import { z } from 'zod';
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

const credential = z.string().min(1).max(1000).optional();
const address = endpoint.optional();

const scopes = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.string()).min(1, 'must name at least one scope'))
  .optional();

type Prefix = Uppercase<SocialProviderKey>;

type SocialConfigShape = Readonly<
  Record<`${Prefix}_${'CLIENT_ID' | 'CLIENT_SECRET'}`, typeof credential> &
    Record<`${Prefix}_${'AUTHORIZATION' | 'TOKEN' | 'PROFILE' | 'ORGANIZATIONS'}_URL`, typeof address> &
    Record<`${Prefix}_SCOPES`, typeof scopes>
>;

/**
 * The variables of one provider: its credentials, without which it is not offered, and settings that replace
 * the defaults.
 */
export function socialVariables({ key, organizationsUrl }: SocialProvider) {
  const prefix = key.toUpperCase();
  return {
    credentials: { [`${prefix}_CLIENT_ID`]: credential, [`${prefix}_CLIENT_SECRET`]: credential },
    addresses: {
      [`${prefix}_AUTHORIZATION_URL`]: address,
      [`${prefix}_TOKEN_URL`]: address,
      [`${prefix}_PROFILE_URL`]: address,
      ...(organizationsUrl === undefined ? {} : { [`${prefix}_ORGANIZATIONS_URL`]: address }),
    },
    scopes: { [`${prefix}_SCOPES`]: scopes },
  };
}

/** The variables of all providers. */
export const socialConfigShape = shapeOf(SOCIAL_PROVIDERS);

function shapeOf(providers: readonly SocialProvider[]): SocialConfigShape {
  const shapes = providers.map((provider) => {
    const { credentials, addresses, scopes: own } = socialVariables(provider);
    return { ...credentials, ...addresses, ...own };
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the names made above; all others are optional
  return Object.assign({}, ...shapes) as SocialConfigShape;
}

export type SocialConfig = z.output<z.ZodObject<SocialConfigShape>>;
