import type { ApplicationRow } from '@gatehouse/db/queries/applications';
import { findResource, type ResourceRow } from '@gatehouse/db/queries/resources';
import type { Services } from '../../core/context.js';
import { isOwnApi } from './own-api.js';

/**
 * The API of the product that a resource indicator (RFC 8707) names, if the application may ask for tokens for it. Undefined for
 * this service, which is not one of them.
 */
export async function findAskedResource(
  { config, db }: Pick<Services, 'config' | 'db'>,
  resource: string,
  { resources }: Pick<ApplicationRow, 'resources'>,
): Promise<ResourceRow | undefined> {
  if (isOwnApi(config, resource)) return undefined;
  // Clients write an origin with a slash, and without one.
  const origin = resource.endsWith('/') ? resource.slice(0, -1) : resource;
  return resources.includes(origin) ? findResource(db, { origin }) : undefined;
}
