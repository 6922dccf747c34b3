import {
  type AccessTokenClaims,
  AppError,
  decideAccess,
  isOpaqueToken,
  openAccessToken,
} from '@gatehouse/auth-core';
import { findResource } from '@gatehouse/db/queries/resources';
import { sendJson } from '@gatehouse/http/rest/reply';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { AccessReader } from '../../core/access/access-reader.js';
import type { Context } from '../../core/context.js';
import type { Caller } from '../../core/guard/caller.js';
import { claimsAtApi } from '../../core/guard/claims-at-api.js';
import { preauthorize } from '../../core/guard/guarded.js';
import { levelFacts } from '../../core/guard/level.js';
import { liveSession } from '../../core/guard/live-session.js';
import { identifyMachine, sentOpaqueToken } from '../../core/guard/machine-caller.js';
import { knownSso } from '../../core/guard/session-state.js';
import { type StandingToken, standingToken, standingTokenOf } from '../../core/guard/standing-token.js';
import { SESSION_CLIENT } from './issue-access-token.js';

const active = z.object({
  active: z.literal(true),
  token_type: z.literal('Bearer'),
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  client_id: z.string(),
  exp: z.int(),
  /** In the account, as of now. */
  role: z.int().nullable(),
  acr: z.string(),
});

const answer = z.union([
  z.object({ active: z.literal(false) }),
  active.extend({
    jti: z.string(),
    iat: z.int(),
    auth_time: z.int().optional(),
    account: z.int().nullable(),
    /** In the account, as of now. */
    permissions: z.array(z.string()),
    sid: z.int(),
    amr: z.array(z.string()),
  }),
  /** A token that an application got for the API. */
  active.extend({
    /** The account that the member chose. */
    account: z.int(),
    /** In the account, as of now, within the scope. */
    permissions: z.array(z.string()),
    scope: z.string(),
  }),
]);

type Introspected = z.output<typeof answer>;

const INACTIVE: Introspected = { active: false };

/**
 * Tells an API of the product whether an access token is valid now, and what its member may do (RFC 7662). Only keys of the
 * machine that the API names may ask, each about tokens for that API.
 */
export const introspection: RawEndpoint<Context> = {
  summary: 'Tell an API of the product whether an access token counts now',
  about: {
    tag: 'machines',
    security: 'apiKey',
    body: {
      types: ['application/x-www-form-urlencoded', 'application/json'],
      schema: z.object({ token: z.string() }),
    },
    answers: {
      200: {
        description: 'Whether it counts, and then what it says (RFC 7662)',
        content: { 'application/json': answer },
      },
    },
    refuses: [
      'unauthorized',
      'address_refused',
      'rate_limited',
      'invalid_input',
      'payload_too_large',
      'unsupported_media_type',
      'unavailable',
    ],
  },
  async handle({ request, response, ctx }: RawExchange<Context>) {
    await preauthorize(ctx, identifyByKey, 'oauth.introspect');
    const { token } = await bodyFields(request, response, { form: true });
    if (typeof token !== 'string')
      throw new AppError('invalid_input', {
        issues: [{ path: 'token', message: 'This field is required, once' }],
      });
    sendJson(response, 200, await introspect(ctx, token));
  },
};

async function identifyByKey(ctx: Context, access: AccessReader): Promise<Caller> {
  const key = sentOpaqueToken(ctx, 'apiKey');
  if (key === undefined) throw new AppError('unauthorized');
  return identifyMachine(ctx, access, key);
}

async function introspect(ctx: Context, token: string): Promise<Introspected> {
  const { services } = ctx;
  const { access, config, db, now, signingKeys } = services;
  const isOpaque = isOpaqueToken('accessToken', token);
  const claims = isOpaque
    ? undefined
    : openAccessToken(token, {
        keys: await signingKeys.published(),
        issuer: config.BASE_URL,
        nowMs: now(),
      });
  // The key again, now that the body is here.
  const { memberId: machineId } = await identifyByKey(ctx, access);
  if (isOpaque) return introspectApplicationToken(services, await standingToken(services, token), machineId);
  if (claims === undefined) return INACTIVE;
  if (claims.client_id !== SESSION_CLIENT)
    return introspectApplicationToken(services, await standingTokenOf(services, claims.jti), machineId);
  const resource = await findResource(db, { origin: claims.aud });
  return resource?.machineId === machineId ? ((await activeNow(ctx, claims)) ?? INACTIVE) : INACTIVE;
}

/** A token that an application got for the API of a machine, with what its member may do at that API now. */
async function introspectApplicationToken(
  services: Context['services'],
  token: StandingToken | undefined,
  machineId: number,
): Promise<Introspected> {
  if (token === undefined) return INACTIVE;
  const found = await claimsAtApi(services, token);
  if (found?.resource.machineId !== machineId) return INACTIVE;
  services.keyUse.noteConsent(token.grant.consent.id);
  return { active: true, token_type: 'Bearer', ...found.claims };
}

/**
 * What a token says, with the role and the permissions as of now. Undefined where its session or the member's access to the
 * account is over, or where the account now requires a higher level. A token of a session without a row cannot be checked.
 */
async function activeNow(
  { services }: Context,
  claims: AccessTokenClaims,
): Promise<Introspected | undefined> {
  const { access, roles } = services;
  const { sid, account: accountId, iat } = claims;
  if (sid === undefined || sid === null) return undefined;
  const live = await liveSession(services, access, {
    memberId: Number(claims.sub),
    familyId: sid,
    issuedAtMs: iat * 1000,
  });
  if (live === undefined) return undefined;
  const { member, session, row } = live;
  const inAccount = accountId === null ? {} : { accountId, account: await access.account(accountId) };
  const level = levelFacts(services, member, {
    ...row,
    recoveryId: row.recoveryId ?? undefined,
    sso: knownSso(row.sso),
  });
  const decision = decideAccess(roles, member, { session, ...inAccount, level });
  if (decision.reason !== undefined) return undefined;
  const rights =
    accountId === null
      ? { role: null, permissions: [] }
      : { role: decision.role, permissions: [...decision.permissions] };
  return { active: true, token_type: 'Bearer', ...claims, ...rights, sid, amr: [...(claims.amr ?? [])] };
}
