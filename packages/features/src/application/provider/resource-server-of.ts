import type { Client, ResourceServer } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { findAskedResource } from './find-asked-resource.js';
import { isOwnApi } from './own-api.js';

/**
 * The properties of tokens for an API: for our own, or for one of the product. Undefined for every other resource, and for
 * applications that may not call it. One request names one API, because the person is asked about one.
 */
export async function resourceServerOf(
  services: Pick<Services, 'access' | 'config' | 'db'>,
  asked: unknown,
  resource: string,
  client: Client,
): Promise<ResourceServer | undefined> {
  const scope = client['api_scope'];
  if (typeof scope !== 'string' || scope === '') return undefined;
  const named = [asked].flat().filter((each) => typeof each === 'string');
  if (new Set(named.map((each) => each.replace(/\/$/, ''))).size > 1) return undefined;
  const common = { scope, accessTokenFormat: 'opaque' } as const;
  const { access, config } = services;
  if (isOwnApi(config, resource)) return { ...common, audience: config.BASE_URL };
  await access.current();
  const application = await access.client(client.clientId);
  const found = application && (await findAskedResource(services, resource, application));
  return (
    found && {
      ...common,
      audience: found.origin,
      ...(found.applicationTokens === 'jwt' && { accessTokenTTL: found.ttlSeconds }),
    }
  );
}
