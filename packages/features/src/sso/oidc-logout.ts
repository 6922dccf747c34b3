import { AppError, sha256Hex } from '@gatehouse/auth-core';
import { consumeToken } from '@gatehouse/db/queries/refresh-session';
import type { SsoLoginsOf } from '@gatehouse/db/queries/sso-logins';
import { findSsoSubject } from '@gatehouse/db/queries/sso-subjects';
import type { OidcSettings } from '@gatehouse/db/tables/sso-tables';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../core/context.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';
import { endProviderSessions } from './end-provider-sessions.js';
import { discoverProvider, type LogoutToken, verifyLogoutToken } from './oidc-provider.js';
import { providerSessionKeyOf, subjectKeyOf } from './sso-claims.js';
import { SsoFailure } from './sso-failure.js';
import { requireKey } from './sso-flow.js';

const WINDOW_MS = 60_000;

const MOST_A_MINUTE = 600;

const MAX_TOKEN_LENGTH = 20_000;

/** Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0), by the next request. */
export const oidcBackchannel: RawEndpoint<Context> = {
  summary: "Ends the sessions that an account's identity provider has ended",
  about: {
    tag: 'pages',
    params: { key: z.string().max(64).describe('The key of a connection') },
    body: {
      types: ['application/x-www-form-urlencoded'],
      schema: z.object({ logout_token: z.string() }),
    },
    answers: { 200: { description: 'The sessions have ended' } },
    refuses: ['invalid_input', 'not_found', 'rate_limited'],
  },
  async handle({ request, response, params, ctx }) {
    await limitPerAddress(ctx, { name: 'sso-logout', most: MOST_A_MINUTE, windowMs: WINDOW_MS });
    const row = await requireKey(ctx, params['key']);
    const { live } = row;
    if (live?.kind !== 'oidc') throw new AppError('not_found');
    const { logout_token: token } = await bodyFields(request, response, { form: true });
    if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH) throw new AppError('invalid_input');
    const logout = await verified(ctx, live, token);
    const tokenKey = sha256Hex(`ssoLogoutToken:${row.key}:${logout.jti}`);
    const { of, memberId: named } = await loginsOf(ctx, { connectionId: row.id, settings: live }, logout);
    const isFirst = await endProviderSessions(ctx, row, {
      of,
      named,
      // Kept for longer than a node whose clock is behind accepts the token.
      take: (tx) => consumeToken(tx, { tokenKey, expiresAtMs: logout.expiresAtMs + WINDOW_MS }),
    });
    if (!isFirst) throw new AppError('invalid_input', { detail: 'a logout token was sent again' });
    response.statusCode = 200;
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Length', 0);
    response.end();
  },
};

async function verified({ services }: Context, settings: OidcSettings, token: string): Promise<LogoutToken> {
  const { clientId } = settings;
  try {
    const provider = await discoverProvider(services, settings);
    return await verifyLogoutToken(services, provider, { token, clientId });
  } catch (cause) {
    if (cause instanceof SsoFailure) throw new AppError('invalid_input', { detail: cause.message, cause });
    throw cause;
  }
}

/** The sign-ins that a logout token names: those of one session at the provider, or of a subject. */
async function loginsOf(
  { services }: Context,
  { connectionId, settings }: { connectionId: number; settings: OidcSettings },
  { sid, sub }: LogoutToken,
): Promise<{ readonly of: SsoLoginsOf | undefined; readonly memberId: number | undefined }> {
  const subject =
    sub === undefined
      ? undefined
      : await findSsoSubject(services.db, { connectionId, subjectKey: subjectKeyOf(settings, sub) });
  const memberId = subject?.memberId;
  if (sid !== undefined)
    return { of: { connectionId, providerSessionKeys: [providerSessionKeyOf(settings, sid)] }, memberId };
  return { of: subject && { connectionId, subjectId: subject.id }, memberId };
}
