import { createHash, randomBytes } from 'node:crypto';
import { AppError, randomId } from '@gatehouse/auth-core';
import { consumeSocialState } from '@gatehouse/db';
import { otherHostThan } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../core/context.js';
import type { SocialProvider } from '../core/social-providers/social-provider.js';
import { authorizationUrl } from './authorization-url.js';
import { requireProvider } from './configured-provider.js';
import { endAtFrontEnd } from './end-at-front-end.js';
import { createFlowCookie, type SocialFlow } from './flow-cookie.js';
import { mainUrl } from './main-url.js';
import { CODE_LIFE_MS, codeKey } from './one-use-code.js';
import { redirect } from './redirect.js';
import { visitAbout } from './visit-about.js';

/** In the query of a visit that was led to our public address already. */
const MOVED = 'moved';

/**
 * Sends a browser to a provider to sign in or, with the code of `social.connect`, to connect. The flow is kept
 * in the browser; nothing is stored here. A visit to another host goes on at the address that the provider returns to, where the
 * browser sends the cookie of the flow again: once, because a proxy may name a host that no browser sees.
 */
export const begin: RawEndpoint<Context> = {
  summary: 'Sends a browser to a provider to sign in or connect',
  about: visitAbout(z.object({ connect: z.string().optional(), [MOVED]: z.string().optional() })),
  handle: leave,
};

async function leave(exchange: RawExchange<Context>): Promise<void> {
  const { request, response, params, query, ctx } = exchange;
  const { services } = ctx;
  const provider = requireProvider(services.config, params['provider'] ?? '');
  const main = mainUrl(services.config);
  if (otherHostThan(main, request) !== undefined && !query.has(MOVED)) {
    const there = new URLSearchParams([...query, [MOVED, '1']]);
    redirect(response, `${main}/social/${provider.key}?${there.toString()}`);
    return;
  }
  await endAtFrontEnd(exchange, provider, async () => {
    const flow: SocialFlow = {
      state: randomId(32),
      codeVerifier: provider.usesPkce ? randomBytes(32).toString('base64url') : null,
      connecting: await connectingWith(ctx, provider, query.get('connect')),
      expiresAtMs: services.now() + CODE_LIFE_MS,
    };
    const location = await authorizationUrl(services.config, provider, {
      state: flow.state,
      codeChallenge: flow.codeVerifier === null ? undefined : challengeOf(flow.codeVerifier),
      isConnecting: flow.connecting !== null,
    });
    const cookies = createFlowCookie(services.config).keep(provider, flow, request.headers.cookie);
    response.setHeader('Set-Cookie', cookies);
    return location;
  });
}

/** The member and session that connect; null for a sign-in. */
async function connectingWith(
  ctx: Context,
  provider: SocialProvider,
  code: string | null,
): Promise<SocialFlow['connecting']> {
  if (code === null) return null;
  const { db, now } = ctx.services;
  const taken = await consumeSocialState(db, { stateKey: codeKey(code), purpose: 'connect', nowMs: now() });
  if (!taken || taken.providerId !== provider.providerId) throw new AppError('invalid_state');
  return { memberId: taken.memberId, sessionTokenKey: taken.sessionTokenKey };
}

/** RFC 7636, section 4.2. */
function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}
