import type { AdminRouter } from '@gatehouse/api-admin/router';
import { createTRPCClient, httpBatchLink, type TRPCClient } from '@trpc/client';
import { createClient, type GatehouseClient } from './client.js';
import type { ClientOptions } from './client-options.js';

export type { GatehouseClient, SignedIn } from './client.js';
export type { ClientOptions } from './client-options.js';
export { type GatehouseError, isGatehouseError } from './errors.js';
export { memoryStore, type TokenStore } from './token-store.js';

export type AdminClient = GatehouseClient<TRPCClient<AdminRouter>>;

/** A client of the admin service: what staff do. */
export function createAdminClient(options: ClientOptions): AdminClient {
  return createClient((batch) => createTRPCClient<AdminRouter>({ links: [httpBatchLink(batch)] }), options);
}
