import type { MainRouter } from '@gatehouse/api-main/router';
import { createTRPCClient, httpBatchLink, type TRPCClient } from '@trpc/client';
import { createClient, type GatehouseClient } from './client.js';
import type { ClientOptions } from './client-options.js';

export type { GatehouseClient, SignedIn } from './client.js';
export type { ClientOptions } from './client-options.js';
export { type GatehouseError, isGatehouseError } from './errors.js';
export { memoryStore, type TokenStore } from './token-store.js';

export type MainClient = GatehouseClient<TRPCClient<MainRouter>>;

/** A client of the main service: members, their accounts, partners and connections. */
export function createMainClient(options: ClientOptions): MainClient {
  return createClient((batch) => createTRPCClient<MainRouter>({ links: [httpBatchLink(batch)] }), options);
}
