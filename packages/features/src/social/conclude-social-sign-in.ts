import { AppError, sha256Hex, TOKEN_LIVES_SECONDS, timingSafeEqualText } from '@gatehouse/auth-core';
import { consumeToken } from '@gatehouse/db/queries/refresh-session';
import { insertSocialState } from '@gatehouse/db/queries/social-states';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../core/context.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';
import { ProviderError } from './ask-social-provider.js';
import { endAtFrontEnd, type FlowEnd, frontEndUrl, visitAbout } from './begin-social-sign-in.js';
import { type ConfiguredProvider, requireProvider } from './configured-provider.js';
import { type ProvenIdentity, sealIdentity } from './proven-identity.js';
import { identifyPerson } from './run-strategy.js';
import { signInWithIdentity } from './sign-in-with-identity.js';
import { CODE_LIFE_MS, newCode, type SocialFlow, socialFlowCookie } from './social-flow-cookie.js';

const MAX_CODE_LENGTH = 4096;
const WINDOW_MS = 15 * 60_000;
const word = z.string().optional();

/**
 * Handles a browser's return from a provider. It always redirects to the front end at once: with a one-use
 * token, a one-use code, or the reason of a failure.
 */
export const conclude: RawEndpoint<Context> = {
  summary: 'Takes a browser back from a provider',
  about: visitAbout(z.object({ code: word, state: word, error: word, error_code: word, denied: word })),
  handle: comeBack,
};

async function comeBack(exchange: RawExchange<Context>): Promise<void> {
  const { request, params, ctx } = exchange;
  // Programs that check a link send this, and the flow works once.
  if (request.method === 'HEAD') throw new AppError('method_not_allowed');
  const provider = requireProvider(ctx.services.config, params['provider'] ?? '');
  await endAtFrontEnd(exchange, `social ${provider.key}`, async () =>
    frontEndUrl(ctx.services, await endOf(exchange, provider)),
  );
}

async function endOf(exchange: RawExchange<Context>, provider: ConfiguredProvider): Promise<FlowEnd> {
  const { query, ctx } = exchange;
  const refusal = refusalIn(query);
  const flow = await consumeFlow(exchange, provider, { isNeeded: refusal === undefined });
  if (refusal !== undefined || flow === undefined) throw new AppError(refusal ?? 'invalid_state');
  await limitPerAddress(ctx, {
    name: 'social',
    most: ctx.services.config.SOCIAL_VISITS_PER_ADDRESS,
    windowMs: WINDOW_MS,
  });
  const identity = await identify(ctx, provider, flow, codeIn(query));
  if (flow.connecting) return offerConnection(ctx, provider, identity, flow.connecting);
  const signedIn = await signInWithIdentity(ctx, identity, flow.locale);
  const { memberId, connectionId, sessionEpoch, tokensValidAfterMs, hasJoined } = signedIn;
  ctx.call.facts.memberId = memberId;
  const { token } = ctx.services.tokens.sealOneUse(
    { type: 'socialLogin', userId: memberId, provider: provider.key, connectionId, sessionEpoch },
    TOKEN_LIVES_SECONDS.socialLogin,
    // The clock of this node may be behind the one that recorded the end of the sessions.
    { notBeforeMs: tokensValidAfterMs },
  );
  ctx.services.log.security({
    event: 'token.issued',
    requestId: ctx.call.requestId,
    address: ctx.call.address,
    memberId,
  });
  return { user: token, ...(hasJoined && { connected: provider.key }) };
}

/**
 * Consumes the flow with this state that this browser began with this provider. Only one of several callbacks with the same state
 * gets it. A callback with another state does not affect the flow, so other tabs and sites cannot disturb it.
 * @throws {AppError} `invalid_state` if a flow is needed and there is none
 */
async function consumeFlow(
  { request, response, query, ctx }: RawExchange<Context>,
  provider: ConfiguredProvider,
  { isNeeded }: { isNeeded: boolean },
): Promise<SocialFlow | undefined> {
  const cookie = socialFlowCookie(ctx.services.config);
  const [state = '', ...others] = query.getAll('state');
  const flow = cookie.read(provider.key, state, request.headers.cookie);
  const isTheirs =
    flow !== undefined &&
    others.length === 0 &&
    timingSafeEqualText(state, flow.state) &&
    ctx.services.now() < flow.expiresAtMs;
  if (!isTheirs) {
    if (isNeeded) throw new AppError('invalid_state');
    return undefined;
  }
  response.setHeader('Set-Cookie', cookie.forget(provider.key, flow.state));
  const { db } = ctx.services;
  const tokenKey = sha256Hex(`socialFlow:${flow.state}`);
  if (!(await consumeToken(db, { tokenKey, expiresAtMs: flow.expiresAtMs }))) {
    throw new AppError('invalid_state');
  }
  return flow;
}

/** A provider's error instead of a code (RFC 6749, section 4.1.2.1, and its variants). */
function refusalIn(query: URLSearchParams): 'access_denied' | 'provider_failed' | undefined {
  const reported = query.get('error') ?? query.get('error_code') ?? query.get('denied');
  if (reported === null) return undefined;
  const isDenied =
    query.has('denied') || reported === 'access_denied' || reported.startsWith('user_cancelled');
  return isDenied ? 'access_denied' : 'provider_failed';
}

function codeIn(query: URLSearchParams): string {
  const [code = '', ...others] = query.getAll('code');
  if (code === '' || code.length > MAX_CODE_LENGTH || others.length > 0) {
    throw new AppError('provider_failed', { detail: 'the callback brought no code' });
  }
  return code;
}

async function identify(
  { services }: Context,
  provider: ConfiguredProvider,
  { codeVerifier }: SocialFlow,
  code: string,
): Promise<ProvenIdentity> {
  try {
    return await identifyPerson(services.config, provider, code, {
      codeVerifier: codeVerifier ?? undefined,
    });
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause;
    const detail = [provider.key, cause.fault, cause.code].filter(Boolean).join(' ');
    throw new AppError('provider_failed', { detail, cause });
  }
}

/** Connects nothing yet: only the session that began the flow can use the code. */
async function offerConnection(
  { services }: Context,
  provider: ConfiguredProvider,
  identity: ProvenIdentity,
  connecting: NonNullable<SocialFlow['connecting']>,
): Promise<FlowEnd> {
  const { code, stateKey } = newCode();
  const nowMs = services.now();
  await insertSocialState(services.db, {
    ...connecting,
    stateKey,
    purpose: 'finish',
    providerId: provider.providerId,
    payload: sealIdentity(services.cipher, stateKey, identity),
    nowMs,
    expiresAtMs: nowMs + CODE_LIFE_MS,
  });
  return { code, provider: provider.key };
}
