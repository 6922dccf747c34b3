import { listNamesOfOwners, MAX_NAMED_OWNERS } from '@gatehouse/db/queries/read-accounts';
import { findAccountSso, listSsoConnections } from '@gatehouse/db/queries/sso-connections';
import { listSsoDomains } from '@gatehouse/db/queries/sso-domains';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import {
  connectionView,
  MAX_CONNECTIONS,
  nextConnectionKey,
  nextConnectionView,
  toConnectionView,
  toNextConnectionView,
} from './connection-view.js';
import { domainView, MAX_DOMAINS, toDomainView } from './sso-domains.js';

/** The connections and domains of an account, and whether its members must sign in through them. */
export const accountSsoView = z.object({
  connections: z.array(connectionView).max(MAX_CONNECTIONS),
  domains: z.array(domainView).max(MAX_DOMAINS),
  required: z.boolean(),
  /** The owners who may sign in another way. */
  exempt: z.array(z.int()).max(3),
});

const ownerView = z.object({
  id: z.int(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
});

/** The same for those who set it up, with the values to enter at the identity provider of the next connection. */
export const managedSsoView = accountSsoView.extend({
  /** The owners who may be exempt, if they have a password or their own passkey. */
  owners: z.array(ownerView).max(MAX_NAMED_OWNERS),
  /** Null if the account has as many connections as it can. */
  next: nextConnectionView.nullable(),
});

export async function readManagedSso(
  services: Pick<Services, 'db' | 'config'>,
  accountId: number,
): Promise<z.output<typeof managedSsoView>> {
  const shown = await readAccountSso(services, accountId);
  const { connections } = shown;
  const isFull = connections.length >= MAX_CONNECTIONS;
  const key = nextConnectionKey(services, accountId, connections);
  const owners = await listNamesOfOwners(services.db, accountId);
  return { ...shown, owners, next: isFull ? null : toNextConnectionView(services, { key, accountId }) };
}

export async function readAccountSso(
  services: Pick<Services, 'db' | 'config'>,
  accountId: number,
): Promise<z.output<typeof accountSsoView>> {
  const connections = await listSsoConnections(services.db, accountId);
  const domains = await listSsoDomains(services.db, accountId);
  const sso = await findAccountSso(services.db, accountId);
  return {
    connections: connections.map((row) => toConnectionView(services, row)),
    domains: domains.map(toDomainView),
    required: sso?.required ?? false,
    exempt: [...(sso?.exemptIds ?? [])],
  };
}
