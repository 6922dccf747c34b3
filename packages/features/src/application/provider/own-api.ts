import type { Services } from '../../core/context.js';

/** Whether a resource indicator (RFC 8707) is our own API. Clients write an origin with a slash, and without one. */
export function isOwnApi({ BASE_URL }: Pick<Services['config'], 'BASE_URL'>, resource: string): boolean {
  return resource === BASE_URL || resource === `${BASE_URL}/`;
}
