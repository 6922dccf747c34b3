import { AppError, randomId, signAccessToken } from '@gatehouse/auth-core';
import { findResource } from '@gatehouse/db/queries/resources';
import { z } from 'zod';
import { reachAccount } from '../../core/guard/account-access.js';
import { reauthorize } from '../../core/guard/guarded.js';
import { procedure } from '../../core/guard/procedure.js';
import { resourceOrigin } from '../../core/inputs.js';

/** The `client_id` of tokens that members get in a session. Applications have other ones. */
export const SESSION_CLIENT = 'gatehouse';

/**
 * A token for another API of the product, which it verifies by itself with `/oauth/jwks` (RFC 9068): who calls, and what they may
 * do in the selected account, for at most five minutes. It opens nothing here.
 */
export const issueAccessToken = procedure({ who: 'member', inPerson: true })
  .meta({
    about: {
      summary: 'Get a token for an API of the product',
      refuses: ['account_forbidden', 'not_found'],
    },
  })
  .input(z.object({ audience: resourceOrigin }))
  .output(
    z.object({
      data: z.object({
        accessToken: z.string(),
        tokenType: z.literal('Bearer'),
        expiresIn: z.int(),
        expiresAt: z.iso.datetime(),
      }),
    }),
  )
  .mutation(async ({ ctx, input: { audience } }) => {
    const { services } = ctx;
    const resource = await findResource(services.db, { origin: audience });
    if (!resource) throw new AppError('not_found');
    const signer = await services.signingKeys.signer();
    // What they may do is decided when the token is made.
    const now = await reauthorize(ctx);
    const { memberId, session } = now.caller;
    const account = now.accountId === null ? null : await reachAccount(now, now.caller, now.accountId);
    const nowMs = services.now();
    const issuedAt = Math.floor(nowMs / 1000);
    const expiresAt = Math.min(issuedAt + resource.ttlSeconds, Math.floor(session.expiresAtMs / 1000));
    const claims = {
      iss: services.config.BASE_URL,
      aud: resource.origin,
      sub: String(memberId),
      client_id: SESSION_CLIENT,
      jti: randomId(16),
      iat: issuedAt,
      exp: expiresAt,
      account: account?.id ?? null,
      role: account?.role ?? null,
      permissions: account === null ? [] : [...account.permissions],
      sid: session.familyId ?? null,
      amr: session.amr?.split(' ') ?? [],
      acr: String(session.level),
      ...(session.authTimeMs === null ? {} : { auth_time: Math.floor(session.authTimeMs / 1000) }),
    };
    return {
      data: {
        accessToken: signAccessToken(claims, signer),
        tokenType: 'Bearer' as const,
        expiresIn: expiresAt - issuedAt,
        expiresAt: new Date(expiresAt * 1000).toISOString(),
      },
    };
  });
