import type { Client, ResourceServer } from 'oidc-provider';
import type { Services } from '../../core/context.js';

/** Whether a resource indicator (RFC 8707) is our own API. Clients write an origin with a slash, and without one. */
export function isOwnApi({ BASE_URL }: Pick<Services['config'], 'BASE_URL'>, resource: string): boolean {
  return resource === BASE_URL || resource === `${BASE_URL}/`;
}

/** What tokens for our own API are like; undefined for every other resource, and for applications that may not call it. */
export function resourceServerOf(
  { config }: Pick<Services, 'config'>,
  resource: string,
  client: Client,
): ResourceServer | undefined {
  const scope = client['api_scope'];
  if (!isOwnApi(config, resource) || typeof scope !== 'string' || scope === '') return undefined;
  return { scope, audience: config.BASE_URL, accessTokenFormat: 'opaque' };
}
