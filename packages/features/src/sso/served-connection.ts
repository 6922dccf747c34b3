import {
  findPlatformConnectionByKey,
  findSsoConnectionByKey,
  type SsoConnection,
} from '@gatehouse/db/queries/sso-connections';
import type { Services } from '../core/context.js';

/** The connection that an address names: the main service has those of accounts, and the admin service those of the platform. */
export function findServedConnection(
  { db, deployment }: Pick<Services, 'db' | 'deployment'>,
  key: string,
): Promise<SsoConnection | undefined> {
  if (!/^[0-9a-f]{32}$/.test(key)) return Promise.resolve(undefined);
  return deployment.application === 'admin'
    ? findPlatformConnectionByKey(db, key)
    : findSsoConnectionByKey(db, key);
}
