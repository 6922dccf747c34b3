import { AppError } from '@gatehouse/auth-core';
import type { SocialConfig } from '../app/social-config.js';
import { findSocialProvider } from './providers/index.js';
import type { SocialProvider } from './providers/social-provider.js';
import type { SocialProviderKey } from './providers/social-provider-key.js';

/** A provider as this deployment uses it: its own addresses, scopes and credentials. */
export interface ConfiguredProvider extends SocialProvider {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What the variables of a provider begin with: its key in capitals. */
function prefixOf<Key extends SocialProviderKey>(key: Key): Uppercase<Key> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- keys are letters, which toUpperCase treats as Uppercase does
  return key.toUpperCase() as Uppercase<Key>;
}

/** The provider with what the configuration says of it; undefined without both credentials. */
export function findConfiguredProvider(
  config: SocialConfig,
  provider: SocialProvider,
): ConfiguredProvider | undefined {
  const prefix = prefixOf(provider.key);
  const clientId = config[`${prefix}_CLIENT_ID`];
  const clientSecret = config[`${prefix}_CLIENT_SECRET`];
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const movedProfileUrl = config[`${prefix}_PROFILE_URL`];
  // A token goes to the provider that made it: who moves the one address says where the other is, or it is not asked.
  const organizationsUrl =
    config.LINKEDIN_ORGANIZATIONS_URL ??
    (movedProfileUrl === undefined ? provider.organizationsUrl : undefined);
  return {
    ...provider,
    authorizationUrl: config[`${prefix}_AUTHORIZATION_URL`] ?? provider.authorizationUrl,
    tokenUrl: config[`${prefix}_TOKEN_URL`] ?? provider.tokenUrl,
    profileUrl: movedProfileUrl ?? provider.profileUrl,
    organizationsUrl: prefix === 'LINKEDIN' ? organizationsUrl : undefined,
    scopes: config[`${prefix}_SCOPES`] ?? provider.scopes,
    clientId,
    clientSecret,
  };
}

/**
 * The provider that a caller names by its key, in any case.
 * @throws {AppError} `not_found` for a key that is none of the six, `provider_not_configured` without credentials
 */
export function requireProvider(config: SocialConfig, key: string): ConfiguredProvider {
  const provider = findSocialProvider(key.toLowerCase());
  if (!provider) throw new AppError('not_found');
  const configured = findConfiguredProvider(config, provider);
  if (!configured) throw new AppError('provider_not_configured');
  return configured;
}
