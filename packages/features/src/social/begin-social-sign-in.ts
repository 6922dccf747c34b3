import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AppError, type ErrorCode, randomId } from '@gatehouse/auth-core';
import { consumeSocialState } from '@gatehouse/db/queries/social-states';
import type { Locale } from '@gatehouse/db/tables/member-tables';
import { otherHostThan } from '@gatehouse/http/pages/html-page';
import type { RawAbout, RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { toFailure } from '@gatehouse/http/server/request-failure';
import { z } from 'zod';
import { visitorLocale } from '../core/accepted-locale.js';
import type { Context, Services } from '../core/context.js';
import { LOCALES } from '../core/member-view.js';
import type { SocialProvider } from '../core/social-providers/social-provider.js';
import { mainUrl, requireProvider } from './configured-provider.js';
import { authorizationUrl } from './run-strategy.js';
import { CODE_LIFE_MS, codeKey, type SocialFlow, socialFlowCookie } from './social-flow-cookie.js';

/** The result of a social flow: a sign-in token, a code to finish a connection, or the reason for neither. */
export type FlowEnd =
  /** `connected` is the provider, if it was connected to a member who was there before. */
  | { readonly user: string; readonly connected?: string }
  | { readonly code: string; readonly provider: string }
  /** The test of a connection of an account has ended. */
  | { readonly test: string }
  | { readonly error: ErrorCode };

/**
 * The front end's address for the end of a social flow, or the console's for staff. Requests cannot change it. Servers and logs never see
 * what follows the hash.
 */
export function frontEndUrl(
  { config: { APP_URL, BASE_URL }, deployment }: Pick<Services, 'config' | 'deployment'>,
  end: FlowEnd,
): string {
  const query = new URLSearchParams(Object.entries(end)).toString();
  if (deployment.application !== 'admin') return `${APP_URL}/socialAuth?${query}`;
  return 'test' in end
    ? `${BASE_URL}/console/single-sign-on/staff?${query}`
    : `${BASE_URL}/console/sign-in#${query}`;
}

/** Redirects a browser, with a GET. */
export function redirect(response: ServerResponse, location: string): void {
  response.statusCode = 302;
  response.setHeader('Location', location);
  response.setHeader('Content-Length', 0);
  response.end();
}

/**
 * Redirects a browser to the result of `visit` or, on a failure, to the front end with the reason. People on
 * their way between two sites never see an answer for programs.
 * @param what the sign-in, as the log names it
 */
export async function endAtFrontEnd(
  { response, ctx }: RawExchange<Context>,
  what: string,
  visit: () => Promise<string>,
): Promise<void> {
  const { log } = ctx.services;
  try {
    redirect(response, await visit());
  } catch (error) {
    const { code, isForeseen } = toFailure(error);
    if (!isForeseen || code === 'provider_failed') {
      log.failure(what, error, ctx.call.requestId);
    }
    const { requestId, address } = ctx.call;
    log.security({ event: 'login.failed', requestId, address, reason: code });
    redirect(response, frontEndUrl(ctx.services, { error: code }));
  }
}

/** The documents' descriptions of the URLs that redirect browsers to a provider and back. */
export function visitAbout(query: z.ZodObject): RawAbout {
  return {
    tag: 'pages',
    params: { provider: z.string().max(50).describe('The key of a provider') },
    query,
    answers: {
      302: {
        description: 'To the provider, or to the front end with what came of it',
        headers: { Location: 'Where the browser goes on' },
      },
    },
    refuses: ['not_found', 'provider_not_configured'],
  };
}

/** In the query of a visit that was led to our public address already. */
const MOVED = 'moved';

/**
 * Sends a browser to a provider to sign in or, with the code of `social.connect`, to connect. The flow is kept
 * in the browser; nothing is stored here. A visit to another host is redirected to the address that the provider
 * returns to, where the browser sends the cookie of the flow again: once, because a proxy may name a host that no
 * browser sees.
 */
export const begin: RawEndpoint<Context> = {
  summary: 'Sends a browser to a provider to sign in or connect',
  about: visitAbout(
    z.object({
      connect: z.string().optional(),
      locale: z.string().optional().describe('The language of the page, in which somebody new gets mails'),
      [MOVED]: z.string().optional(),
    }),
  ),
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
  await endAtFrontEnd(exchange, `social ${provider.key}`, async () => {
    const flow: SocialFlow = {
      state: randomId(32),
      codeVerifier: provider.usesPkce ? randomBytes(32).toString('base64url') : null,
      connecting: await connectingWith(ctx, provider, query.get('connect')),
      locale: localeOf(query.get('locale')) ?? visitorLocale(ctx.call),
      expiresAtMs: services.now() + CODE_LIFE_MS,
    };
    const location = await authorizationUrl(services.config, provider, {
      state: flow.state,
      codeChallenge: flow.codeVerifier === null ? undefined : challengeOf(flow.codeVerifier),
      isConnecting: flow.connecting !== null,
    });
    const cookies = socialFlowCookie(services.config).keep(provider.key, flow, request.headers.cookie);
    response.setHeader('Set-Cookie', cookies);
    return location;
  });
}

function localeOf(named: string | null): Locale | undefined {
  return LOCALES.find((locale) => locale === named);
}

/** The member and session that connect; null for a sign-in. */
async function connectingWith(
  ctx: Context,
  provider: SocialProvider,
  code: string | null,
): Promise<SocialFlow['connecting']> {
  if (code === null) return null;
  const { db, now } = ctx.services;
  const consumed = await consumeSocialState(db, {
    stateKey: codeKey(code),
    purpose: 'connect',
    nowMs: now(),
  });
  if (!consumed || consumed.providerId !== provider.providerId) throw new AppError('invalid_state');
  return { memberId: consumed.memberId, sessionTokenKey: consumed.sessionTokenKey };
}

/** RFC 7636, section 4.2. */
function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}
