import { deriveOpaqueToken, makeOpaqueToken } from '@gatehouse/auth-core';
import type * as library from 'oidc-provider';
import type { default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { grantFacts } from '../../core/guard/grant-standing.js';

/** Tokens in our own format, whose successors follow from them, and grants that say what they rest on. */
export function withOwnTokens(
  provider: OidcProvider,
  { Provider }: typeof library,
  { config }: Pick<Services, 'config'>,
): void {
  const { AccessToken, Grant, RefreshToken } = provider;
  makeAccessTokensOf(AccessToken);
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
