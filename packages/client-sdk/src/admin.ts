import type { AdminRouter } from '@gatehouse/api-admin/router';
import { createTRPCClient, type TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createClient, type GatehouseClient } from './client.js';
import type { ClientOptions } from './client-options.js';

export type { AdminRouter, Permission, StaffPermission } from '@gatehouse/api-admin/router';
export type { Credentials, GatehouseClient, SignedIn, SignedInSession, SignedOut } from './client.js';
export type { ClientOptions } from './client-options.js';
export {
  type ErrorCode,
  type GatehouseError,
  isGatehouseError,
  isSecondFactorRequired,
  isUnavailable,
  isVerificationRequired,
  type SecondFactorRequired,
  type TrpcRefusal,
  type VerificationRequired,
} from './errors.js';
export { type CallOptions, perCall } from './per-call.js';
export type { RetryPolicy } from './retry-wait.js';
export { ROLES } from './roles.js';
export type { KeptSession, SessionCause, SessionChange } from './session.js';
export type { TokenStore } from './token-stores.js';
export { localStore, memoryStore, tabStore } from './token-stores.js';
export type { Proof, StepMethod, StepProof, VerificationMethod, VerificationNeed } from './verification.js';

/** The input of each procedure, as in `AdminInputs['audit']['list']`. */
export type AdminInputs = inferRouterInputs<AdminRouter>;

/** The output of each procedure, as in `AdminOutputs['audit']['list']['data'][number]`. */
export type AdminOutputs = inferRouterOutputs<AdminRouter>;

/** A member, as in every list and detail. */
export type Member = AdminOutputs['account']['members']['data'][number];

/** A member in a search, with what support looks for. */
export type ListedMember = AdminOutputs['member']['search']['data'][number];

/** An account, as in lists. */
export type Account = AdminOutputs['account']['list']['data'][number];

/** An account in a search, with what support looks for. */
export type ListedAccount = AdminOutputs['account']['search']['data'][number];

/** An account the caller is a member of, with their role and permissions there. */
export type Membership = AdminOutputs['session']['me']['memberships'][number];

/** Every procedure of the admin service. */
export interface AdminApi extends TRPCClient<AdminRouter> {}

/** A client of the admin service. */
export interface AdminClient extends GatehouseClient<AdminApi> {
  withAccount(accountId: number | null): AdminClient;
}

/** A client of the admin service, for staff. */
export function createAdminClient(options: ClientOptions): AdminClient {
  return createClient((links) => createTRPCClient<AdminRouter>({ links }), options);
}
