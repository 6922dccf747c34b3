import { sha256Hex, signAccessToken } from '@gatehouse/auth-core';
import type { default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { claimsAtApi } from '../../core/guard/claims-at-api.js';
import { standingTokenOf } from '../../core/guard/standing-token.js';

/**
 * Gives applications a JWT (RFC 9068) for an API that checks tokens by itself. It names the stored token by its digest, so that the
 * API can still introspect it. Where the member may do nothing at that moment, the application gets the stored token instead, which
 * such an API refuses, and keeps its refresh token.
 */
export function withSignedTokens({ AccessToken }: OidcProvider, services: Services): void {
  const save: unknown = Reflect.get(AccessToken.prototype, 'save');
  Reflect.set(
    AccessToken.prototype,
    'save',
    async function saveToken(this: InstanceType<typeof AccessToken>, ...given: readonly unknown[]) {
      const token: unknown = typeof save === 'function' ? await Reflect.apply(save, this, given) : undefined;
      // Only those for an API of the product have their own lifetime.
      if (typeof token !== 'string' || this.resourceServer?.accessTokenTTL === undefined) return token;
      const digest = sha256Hex(token);
      const stored = await standingTokenOf(services, digest);
      const found = stored && (await claimsAtApi(services, stored));
      if (found === undefined) return token;
      const signer = await services.signingKeys.signer();
      const iat = Math.floor(services.now() / 1000);
      return signAccessToken({ ...found.claims, jti: digest, iat }, signer);
    },
  );
}
