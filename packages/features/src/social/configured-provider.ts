import { AppError } from '@gatehouse/auth-core';
import type { Config } from '../core/config.js';
import type { SocialProvider } from '../core/social-providers/social-provider.js';
import {
  findSocialProvider,
  type SocialConfig,
  type SocialProviderKey,
} from '../core/social-providers/social-providers.js';

/** A provider with its configured addresses, scopes and credentials. */
export interface ConfiguredProvider extends SocialProvider {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The prefix of a provider's variables: its key in capitals. */
function prefixOf({ key }: SocialProvider): Uppercase<SocialProviderKey> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every provider is one of the list that the type is made of
  return key.toUpperCase() as Uppercase<SocialProviderKey>;
}

/** The provider with its configuration; undefined without both credentials. */
export function findConfiguredProvider(
  config: SocialConfig,
  provider: SocialProvider,
): ConfiguredProvider | undefined {
  const prefix = prefixOf(provider);
  const clientId = config[`${prefix}_CLIENT_ID`];
  const clientSecret = config[`${prefix}_CLIENT_SECRET`];
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const movedProfileUrl = config[`${prefix}_PROFILE_URL`];
  // A token only goes to the provider that issued it. If a deployment changes one URL but not the other, the
  // other is not called.
  const organizationsUrl =
    config[`${prefix}_ORGANIZATIONS_URL`] ??
    (movedProfileUrl === undefined ? provider.organizationsUrl : undefined);
  return {
    ...provider,
    authorizationUrl: config[`${prefix}_AUTHORIZATION_URL`] ?? provider.authorizationUrl,
    tokenUrl: config[`${prefix}_TOKEN_URL`] ?? provider.tokenUrl,
    profileUrl: movedProfileUrl ?? provider.profileUrl,
    organizationsUrl,
    scopes: config[`${prefix}_SCOPES`] ?? provider.scopes,
    clientId,
    clientSecret,
  };
}

/**
 * The provider with this key, in any case.
 * @throws {AppError} `not_found` for an unknown key, `provider_not_configured` without credentials
 */
export function requireProvider(config: SocialConfig, key: string): ConfiguredProvider {
  const provider = findSocialProvider(key.toLowerCase());
  if (!provider) throw new AppError('not_found');
  const configured = findConfiguredProvider(config, provider);
  if (!configured) throw new AppError('provider_not_configured');
  return configured;
}

/** The public address of the main service: social sign-in begins there, and providers return to it. */
export function mainUrl(config: Pick<Config, 'BASE_URL' | 'MAIN_URL'>): string {
  return config.MAIN_URL ?? config.BASE_URL;
}
