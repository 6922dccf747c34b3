import type { MainRouter } from '@gatehouse/api-main/router';
import { createTRPCClient, type TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createAccessTokens } from './access-tokens.js';
import { createClient, type GatehouseClient } from './client.js';
import type { ClientOptions } from './client-options.js';

export type { MainRouter, Permission } from '@gatehouse/api-main/router';
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
export {
  finishSocial,
  type SocialEnd,
  type SocialProvider,
  startConnecting,
  startSocialSignIn,
  startSsoSignIn,
} from './social/social-sign-in.js';
export type { TokenStore } from './token-stores.js';
export { localStore, memoryStore, tabStore } from './token-stores.js';
export type { Proof, StepMethod, StepProof, VerificationMethod, VerificationNeed } from './verification.js';

/** The input of each procedure, as in `MainInputs['member']['list']`. */
export type MainInputs = inferRouterInputs<MainRouter>;

/** The output of each procedure, as in `MainOutputs['member']['list']['data'][number]`. */
export type MainOutputs = inferRouterOutputs<MainRouter>;

/** A member, as in every list and detail. */
export type Member = MainOutputs['member']['list']['data'][number];

/** A member as they see themselves. */
export type OwnMember = MainOutputs['session']['me']['member'];

/** An account, as in searches. */
export type Account = MainOutputs['account']['search']['data'][number];

/** An account the caller is a member of, with their role and permissions there. */
export type Membership = MainOutputs['session']['me']['memberships'][number];

/** Every procedure of the main service. */
export interface MainApi extends TRPCClient<MainRouter> {}

/** A client of the main service. */
export interface MainClient extends GatehouseClient<MainApi> {
  withAccount(accountId: number | null): MainClient;
  /**
   * A token for an API of the product at another origin, to send as `Authorization: Bearer`: who calls, and what they may do in this
   * client's account. Many calls share one, which is renewed shortly before it ends.
   */
  accessTokenFor(origin: string): Promise<string>;
}

/** A client of the main service: members, their accounts, partners and connections. */
export function createMainClient(options: ClientOptions): MainClient {
  const client = createClient<MainApi>((links) => createTRPCClient<MainRouter>({ links }), options);
  return withAccessTokens(client, null, createAccessTokens(client.subscribe));
}

function withAccessTokens(
  client: GatehouseClient<MainApi>,
  accountId: number | null,
  tokenFor: ReturnType<typeof createAccessTokens>,
): MainClient {
  const { api, withAccount } = client;
  return Object.assign(client, {
    accessTokenFor: (origin: string) => tokenFor(api, accountId, origin),
    withAccount: (next: number | null) => withAccessTokens(withAccount(next), next, tokenFor),
  });
}
