import { deriveOpaqueToken, makeOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import type * as library from 'oidc-provider';
import type { default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { grantFacts } from '../../core/guard/grant-standing.js';
import { standingGrant } from '../../core/guard/stored-grants.js';
import { contextOf } from './provider-context.js';
import { endReusedGrant } from './reused-refresh-token.js';

/** Tokens in our own format, whose successors follow from them, and grants that say what they rest on. */
export function withOwnTokens(
  provider: OidcProvider,
  { Provider }: typeof library,
  services: Services,
): void {
  const { config } = services;
  const { AccessToken, Grant, RefreshToken } = provider;
  makeAccessTokensOf(AccessToken);
  const find: unknown = Reflect.get(RefreshToken, 'find');
  Reflect.set(RefreshToken, 'find', async (...given: readonly unknown[]) => {
    const token: unknown =
      typeof find === 'function' ? await Reflect.apply(find, RefreshToken, given) : undefined;
    const koa = Provider.ctx;
    const isReused = token instanceof RefreshToken && token.consumed !== undefined;
    if (!isReused || token.grantId === undefined) return token;
    // Others may ask about it; only its application sends it to get another.
    if (koa?.oidc.route !== 'token' || token.clientId !== koa.oidc.client?.clientId) return token;
    const grantDigest = sha256Hex(token.grantId);
    const grant = await standingGrant(services, grantDigest);
    if (grant !== undefined) await endReusedGrant(contextOf(koa), grant, grantDigest);
    return token;
  });
  Reflect.set(RefreshToken.prototype, 'generateTokenId', () => {
    // Tabs that refresh at the same time get the same token, so no chain has branches.
    const before = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
    return before === undefined
      ? makeOpaqueToken('refreshToken')
      : deriveOpaqueToken('refreshToken', before, config.SESSION_SECRET);
  });
  const names = [...Grant.IN_PAYLOAD, ...Object.keys(grantFacts.shape)];
  Object.defineProperty(Grant, 'IN_PAYLOAD', { get: () => names });
}

/** Gives the access tokens of a model our format. */
export function makeAccessTokensOf({ prototype }: { readonly prototype: object }): void {
  const choosesFormat: unknown = Reflect.get(prototype, 'generateTokenId');
  Reflect.set(prototype, 'generateTokenId', function generateTokenId(this: object) {
    if (typeof choosesFormat === 'function') Reflect.apply(choosesFormat, this, []);
    return makeOpaqueToken('accessToken');
  });
}
