import { AppError, randomId, randomToken, sha256Hex, timingSafeEqualText } from '@gatehouse/auth-core';
import { consumeToken } from '@gatehouse/db/queries/refresh-session';
import { PLATFORM, type SsoConnection } from '@gatehouse/db/queries/sso-connections';
import { findSsoRun, type SsoRun } from '@gatehouse/db/queries/sso-runs';
import type { RawAbout, RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { visitorLocale } from '../core/accepted-locale.js';
import type { Context, Services } from '../core/context.js';
import { createFlowCookie, FLOW_LIFE_MS, onOwnHost } from '../core/flow-cookie.js';
import { LOCALES } from '../core/member-view.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';
import { bindStaffSignIn } from '../core/staff-sign-in-cookie.js';
import { endAtFrontEnd, type FlowEnd, frontEndUrl } from '../social/begin-social-sign-in.js';
import { completeSignIn } from './complete-sign-in.js';
import { beginOidc } from './oidc-flow.js';
import { beginSaml, identifyBySaml } from './saml-flow.js';
import { findSamlRequest, takeSamlResult } from './saml-sign-in.js';
import { findServedConnection } from './served-connection.js';
import type { SsoClaims, UsedConnection } from './sso-claims.js';
import { SsoFailure } from './sso-failure.js';
import { recordTest, runKey } from './test-runs.js';

const WINDOW_MS = 15 * 60_000;

const flow = z.object({
  /** The value that the identity provider has to return. */
  state: z.string(),
  /** The value that its answer has to contain. */
  nonce: z.string(),
  /** RFC 7636. */
  codeVerifier: z.string(),
  /** The version of the settings with which it began. */
  version: z.number(),
  /** The code of a test; null for a sign-in. */
  test: z.string().nullable(),
  locale: z.enum(LOCALES).optional(),
  expiresAtMs: z.number(),
});

/** One flow through an identity provider, as the browser keeps it. */
export type SsoFlow = z.output<typeof flow>;

const flowCookie = ({ config, deployment }: Services) =>
  createFlowCookie<SsoFlow>(deployment.application === 'admin' ? onOwnHost(config) : config, 'sso', flow);

/** The documents' description of the addresses that browsers are led to and back. */
export function ssoVisitAbout(query: z.ZodObject): RawAbout {
  return {
    tag: 'pages',
    params: { key: z.string().max(64).describe('The key of a connection') },
    query,
    answers: {
      302: {
        description: 'To the identity provider, or to the front end with what came of it',
        headers: { Location: 'Where the browser goes on' },
      },
    },
    refuses: ['method_not_allowed'],
  };
}

const word = z.string().optional();

/** Sends a browser to the identity provider of an account. */
export const beginSso: RawEndpoint<Context> = {
  summary: "Sends a browser to an account's identity provider",
  about: ssoVisitAbout(z.object({ test: word, locale: word })),
  handle: leave,
};

async function leave(exchange: RawExchange<Context>): Promise<void> {
  const { request, response, params, query, ctx } = exchange;
  const { services } = ctx;
  // Programs that check a link send this.
  if (request.method === 'HEAD') throw new AppError('method_not_allowed');
  await endAtFrontEnd(exchange, 'single sign-on', async () => {
    await limitVisits(ctx, 'sso-start');
    const row = await requireKey(ctx, params['key']);
    const code = query.get('test');
    const test = code === null ? undefined : await requireTest(ctx, row, code);
    const connection = usedIn(row, test);
    const nowMs = services.now();
    const own = {
      nonce: randomId(32),
      codeVerifier: randomToken(),
      version: connection.version,
      test: test === undefined ? null : code,
      locale: LOCALES.find((locale) => locale === query.get('locale')) ?? visitorLocale(ctx.call),
      expiresAtMs: nowMs + FLOW_LIFE_MS,
    };
    try {
      const { state, location } = await beginOf(services, row, connection, own);
      const cookies = flowCookie(services).keep(row.key, { ...own, state }, request.headers.cookie);
      response.setHeader('Set-Cookie', cookies);
      return location;
    } catch (failure) {
      return failedAt(ctx, connection, test, failure);
    }
  });
}

/** Where a browser that begins a flow goes, and the state of the flow, for each kind of connection. */
async function beginOf(
  services: Services,
  row: SsoConnection,
  connection: UsedConnection,
  own: Omit<SsoFlow, 'state'>,
): Promise<{ readonly state: string; readonly location: string }> {
  if (connection.settings.kind === 'saml') return beginSaml(services, row, { isTest: own.test !== null });
  const state = randomId(32);
  return { state, location: await beginOidc(services, connection, { ...own, state }) };
}

async function limitVisits(ctx: Context, name: 'sso-start' | 'sso-return'): Promise<void> {
  const most = ctx.services.config.SOCIAL_VISITS_PER_ADDRESS;
  await limitPerAddress(ctx, { name, most, windowMs: WINDOW_MS });
}

/** @throws {AppError} `not_found` */
export async function requireKey({ services }: Pick<Context, 'services'>, key = ''): Promise<SsoConnection> {
  const row = await findServedConnection(services, key);
  if (row === undefined) throw new AppError('not_found');
  return row;
}

/** The test of a code, while it has no result. */
async function requireTest({ services }: Context, row: SsoConnection, code: string): Promise<SsoRun> {
  const scope = {
    codeKey: runKey(code),
    purpose: 'test',
    connectionId: row.id,
    nowMs: services.now(),
  } as const;
  const run = await findSsoRun(services.db, scope);
  if (run === undefined || run.payload !== null || run.version !== row.version)
    throw new AppError('invalid_state');
  return run;
}

/**
 * A connection with the settings of a test, or with those in use.
 * @throws {AppError} `not_found` for one that is off
 */
function usedIn(row: SsoConnection, test: SsoRun | undefined): UsedConnection {
  const { id, accountId, key, name, epoch } = row;
  const own = { id, accountId, key, name, epoch };
  if (test !== undefined) return { ...own, version: row.version, settings: row.settings, secret: row.secret };
  if (row.live === null || row.liveVersion === null) throw new AppError('not_found');
  return { ...own, version: row.liveVersion, settings: row.live, secret: row.liveSecret };
}

/** A flow that has returned, once, in the browser that began it, with its connection and test. */
export interface ReturnedFlow {
  readonly flow: SsoFlow;
  readonly connection: UsedConnection;
  readonly test: SsoRun | undefined;
}

/**
 * Takes a flow back.
 * @throws {AppError} `invalid_state` for one of another browser, that was used or has expired, or whose connection was changed
 * since; `not_found` for a connection that is gone or off
 */
export async function takeFlow(
  { request, response, params, ctx }: RawExchange<Context>,
  state: string,
): Promise<ReturnedFlow> {
  const { services } = ctx;
  await limitVisits(ctx, 'sso-return');
  const row = await requireKey(ctx, params['key']);
  const cookie = flowCookie(services);
  const kept = cookie.read(row.key, state, request.headers.cookie);
  if (kept === undefined || !timingSafeEqualText(kept.state, state) || services.now() >= kept.expiresAtMs)
    throw new AppError('invalid_state');
  response.setHeader('Set-Cookie', cookie.forget(row.key, kept.state));
  const tokenKey = sha256Hex(`ssoFlow:${kept.state}`);
  if (!(await consumeToken(services.db, { tokenKey, expiresAtMs: kept.expiresAtMs })))
    throw new AppError('invalid_state');
  const test = kept.test === null ? undefined : await requireTest(ctx, row, kept.test);
  const connection = usedIn(row, test);
  if (connection.version !== kept.version) throw new AppError('invalid_state');
  return { flow: kept, connection, test };
}

/** Ends a flow whose answer was verified by `identify`: with a token that signs in or, in a test, with the result. */
export async function endFlow(
  { request, response, ctx }: RawExchange<Context>,
  { flow: { locale }, connection, test }: ReturnedFlow,
  identify: () => Promise<SsoClaims>,
): Promise<string> {
  try {
    const claims = await identify();
    if (test === undefined) {
      const user = await completeSignIn(ctx, connection, { claims, locale });
      if (connection.accountId === PLATFORM)
        for (const line of bindStaffSignIn(ctx.services, user, request.headers.cookie))
          response.appendHeader('Set-Cookie', line);
      return frontEndUrl(ctx.services, { user });
    }
    await recordTest(ctx, connection, test, { claims });
    return frontEndUrl(ctx.services, testEnd(test));
  } catch (failure) {
    return failedAt(ctx, connection, test, failure);
  }
}

const testEnd = ({ id }: SsoRun): FlowEnd => ({ test: String(id) });

/** Where a browser goes whose flow has failed: in a test to the result, else with the code of the reason. */
async function failedAt(
  ctx: Context,
  connection: UsedConnection,
  test: SsoRun | undefined,
  failure: unknown,
): Promise<string> {
  if (!(failure instanceof SsoFailure)) throw failure;
  if (test === undefined) throw new AppError(failure.code, { detail: failure.message, cause: failure });
  await recordTest(ctx, connection, test, { failure });
  return frontEndUrl(ctx.services, testEnd(test));
}

/** Continues with a browser whose answer came by a cross-site POST. */
export const finishSso: RawEndpoint<Context> = {
  summary: "Finishes a sign-in by an account's identity provider",
  about: ssoVisitAbout(z.object({ code: word })),
  async handle(exchange) {
    const { request, params, query, ctx } = exchange;
    if (request.method === 'HEAD') throw new AppError('method_not_allowed');
    const { services } = ctx;
    await endAtFrontEnd(exchange, 'single sign-on', async () => {
      const row = await requireKey(ctx, params['key']);
      const code = query.get('code') ?? '';
      const requestId = await findSamlRequest(services, row, code);
      if (requestId === undefined) throw new AppError('invalid_state');
      const returned = await takeFlow(exchange, requestId);
      const result = await takeSamlResult(services, row, { code, requestId });
      if (result?.version !== returned.flow.version || returned.connection.settings.kind !== 'saml')
        throw new AppError('invalid_state');
      return endFlow(exchange, returned, async () => identifyBySaml(result));
    });
  },
};
