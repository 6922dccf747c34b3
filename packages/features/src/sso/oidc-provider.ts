import { isDeepStrictEqual } from 'node:util';
import { timingSafeEqualText } from '@gatehouse/auth-core';
import type { OidcSettings } from '@gatehouse/db/tables/sso-tables';
import type { GuardedClient } from '@gatehouse/runtime/network/guarded-client';
import { isCallableUrl } from '@gatehouse/runtime/network/guarded-client';
import type { JSONWebKeySet, JWTPayload, JWTVerifyResult } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { SsoFailure } from './sso-failure.js';

type Asked = Pick<Services, 'outbound' | 'now' | 'config'>;

const MAX_DOCUMENT_BYTES = 512 * 1024;

/** What providers publish is shorter. */
const MAX_PUBLISHED_BYTES = 64 * 1024;

/** The maximum that is remembered. */
const MAX_KNOWN_BYTES = 8 * 1024 * 1024;

const WHOLE_MS = 4_000;

/** How long what a provider publishes is remembered. */
const KNOWN_MS = 5 * 60_000;

/** Its keys are read again for an unknown one, but not more often than this. */
const KEYS_AGAIN_MS = 60_000;

const CLOCK_SKEW_SECONDS = 60;

/** Only signatures by keys that only the provider has. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

const address = z.string().max(2000);

/** OpenID Connect Discovery 1.0, section 3, limited to what is used. */
const configuration = z.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  end_session_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string().max(100)).max(50).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

export type ProviderConfiguration = z.output<typeof configuration>;

const member = z.string().max(8_000).exactOptional();

/** What verifies a signature, of the keys of one kind with a public part. */
const publicKey = z.object({
  kty: z.enum(['RSA', 'EC', 'OKP']),
  kid: member,
  alg: member,
  use: member,
  key_ops: z.array(z.string().max(100)).max(20).exactOptional(),
  n: member,
  e: member,
  crv: member,
  x: member,
  y: member,
});

/** Keys of an unknown kind are left out. */
const keySet = z.object({
  keys: z
    .array(z.unknown())
    .max(100)
    .transform((keys) => keys.flatMap((key) => publicKey.safeParse(key).data ?? [])),
});

interface Known {
  readonly value: unknown;
  readonly bytes: number;
  readonly atMs: number;
}

/** What providers publish, as far as it is used, for each client that asks them. */
const published = new WeakMap<GuardedClient, LRUCache<string, Known>>();

/** Fetches what a provider publishes. Only what the schema keeps is remembered. */
async function readPublished<Output>(
  { outbound, now }: Asked,
  url: string,
  {
    kept,
    otherwise,
    mostMs = KNOWN_MS,
  }: { kept: z.ZodType<Output>; otherwise: () => SsoFailure; mostMs?: number },
): Promise<Output> {
  const cache =
    published.get(outbound) ??
    new LRUCache<string, Known>({
      maxSize: MAX_KNOWN_BYTES,
      sizeCalculation: ({ bytes }) => bytes,
      ttl: KNOWN_MS,
    });
  published.set(outbound, cache);
  const known = cache.get(url);
  const isKnown = known !== undefined && now() < known.atMs + mostMs;
  const answer = isKnown ? known.value : await getJson(outbound, url, { maxBytes: MAX_PUBLISHED_BYTES });
  const read = kept.safeParse(answer);
  if (!read.success) throw otherwise();
  if (!isKnown) {
    const bytes = Buffer.byteLength(url) + Buffer.byteLength(JSON.stringify(read.data));
    cache.set(url, { value: read.data, bytes, atMs: now() });
  }
  return read.data;
}

async function getJson(
  outbound: GuardedClient,
  url: string,
  { headers = {}, maxBytes }: { headers?: Readonly<Record<string, string>>; maxBytes: number },
): Promise<unknown> {
  const sent = { accept: 'application/json', 'user-agent': 'gatehouse', ...headers };
  const limits = { maxBytes, wholeMs: WHOLE_MS };
  const answer = await outbound.get(url, { reach: 'public', headers: sent, ...limits });
  if ('failure' in answer) throw new SsoFailure('provider', answer.failure);
  if (answer.status !== 200) throw new SsoFailure('provider', `status ${answer.status}`);
  return parseJson(answer.body);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The parser's message quotes its text, which may contain tokens.
    throw new SsoFailure('provider', 'no JSON');
  }
}

/**
 * The published metadata of a provider. It must name exactly the issuer that was configured.
 * @throws {SsoFailure}
 */
export async function discoverProvider(
  services: Asked,
  { issuer }: Pick<OidcSettings, 'issuer'>,
): Promise<ProviderConfiguration> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const data = await readPublished(services, url, {
    kept: configuration,
    otherwise: () => new SsoFailure('discovery', 'malformed'),
  });
  if (data.issuer !== issuer) throw new SsoFailure('discovery', 'another issuer');
  const isProduction = services.config.NODE_ENV === 'production';
  const called = [data.authorization_endpoint, data.token_endpoint, data.jwks_uri];
  if (!called.every((each) => isCallableUrl(each, isProduction)))
    throw new SsoFailure('discovery', 'an address that cannot be called');
  return data;
}

const tokens = z.object({
  id_token: z.string().max(200_000),
  access_token: z.string().max(20_000).optional(),
});

/**
 * Exchanges a code at the token endpoint (RFC 6749, section 4.1.3).
 * @throws {SsoFailure}
 */
export async function exchangeCode(
  { outbound }: Asked,
  provider: ProviderConfiguration,
  {
    clientId,
    clientSecret,
    ...sent
  }: { clientId: string; clientSecret: string; code: string; codeVerifier: string; redirectUri: string },
): Promise<z.output<typeof tokens>> {
  const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const isBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: sent.code,
    redirect_uri: sent.redirectUri,
    code_verifier: sent.codeVerifier,
    ...(isBasic ? {} : { client_id: clientId, client_secret: clientSecret }),
  });
  const answer = await outbound.post(provider.token_endpoint, {
    reach: 'public',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'user-agent': 'gatehouse',
      ...(isBasic ? { authorization: basicAuthorization(clientId, clientSecret) } : {}),
    },
    body: form.toString(),
    maxBytes: MAX_DOCUMENT_BYTES,
    wholeMs: WHOLE_MS,
  });
  if ('failure' in answer) throw new SsoFailure('token', answer.failure);
  if (answer.status !== 200) throw new SsoFailure('token', `status ${answer.status}`);
  const read = tokens.safeParse(parseJson(answer.body));
  if (!read.success) throw new SsoFailure('token', 'malformed');
  return read.data;
}

/** RFC 6749, section 2.3.1: both are form-encoded first. */
function basicAuthorization(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((text) =>
    new URLSearchParams({ t: text }).toString().slice(2),
  );
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

/**
 * Verifies a token that the provider has signed for this client.
 * @throws {SsoFailure}
 */
async function verifySigned(
  services: Asked,
  provider: ProviderConfiguration,
  { token, clientId, types }: { token: string; clientId: string; types: readonly (string | undefined)[] },
): Promise<JWTPayload> {
  const verify = async (mostMs?: number) => {
    const keys = await readPublished(services, provider.jwks_uri, {
      kept: keySet,
      otherwise: () => new SsoFailure('signature', 'malformed keys'),
      ...(mostMs === undefined ? {} : { mostMs }),
    });
    return verifyBy(services, keys, { token, clientId, issuer: provider.issuer });
  };
  const result = await verify().catch(async (error: unknown) => {
    // The key may be newer than the known ones.
    if (error instanceof SsoFailure && error.check === 'signature') return verify(KEYS_AGAIN_MS);
    throw error;
  });
  const { typ } = result.protectedHeader;
  if (!types.includes(typ?.toLowerCase())) throw new SsoFailure('signature', 'another type');
  const { aud, azp } = result.payload;
  const isForUs = isDeepStrictEqual([aud].flat(), [clientId]) ? [undefined, clientId] : [clientId];
  if (!isForUs.some((party) => party === azp)) throw new SsoFailure('audience');
  return result.payload;
}

async function verifyBy(
  { now }: Asked,
  keys: JSONWebKeySet,
  { token, clientId, issuer }: { token: string; clientId: string; issuer: string },
): Promise<JWTVerifyResult> {
  const jose = await import('jose');
  const find = jose.createLocalJWKSet(keys);
  const options = {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    currentDate: new Date(now()),
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ['iat', 'iss', 'aud'],
  };
  try {
    return await jose.jwtVerify(token, find, options);
  } catch (error) {
    if (error instanceof jose.errors.JWKSMultipleMatchingKeys) {
      for await (const key of error) {
        const result = await jose.jwtVerify(token, key, options).catch(() => undefined);
        if (result !== undefined) return result;
      }
      throw new SsoFailure('signature');
    }
    if (error instanceof jose.errors.JWTExpired) throw new SsoFailure('times');
    if (error instanceof jose.errors.JWTClaimValidationFailed) {
      const { claim } = error;
      throw new SsoFailure(claim === 'iss' ? 'issuer' : claim === 'aud' ? 'audience' : 'times', claim);
    }
    if (error instanceof jose.errors.JOSEError) throw new SsoFailure('signature', error.code);
    throw error;
  }
}

/**
 * The claims of an ID token (OpenID Connect Core 1.0, section 3.1.3.7) that answers the request with this nonce.
 * @throws {SsoFailure}
 */
export async function verifyIdToken(
  services: Asked,
  provider: ProviderConfiguration,
  { token, clientId, nonce }: { token: string; clientId: string; nonce: string },
): Promise<JWTPayload & { readonly sub: string }> {
  const payload = await verifySigned(services, provider, { token, clientId, types: [undefined, 'jwt'] });
  const { sub, exp } = payload;
  if (exp === undefined) throw new SsoFailure('times', 'exp');
  if (typeof payload['nonce'] !== 'string' || !timingSafeEqualText(payload['nonce'], nonce))
    throw new SsoFailure('nonce');
  if (sub === undefined || sub === '' || sub.length > 512) throw new SsoFailure('subject');
  return { ...payload, sub };
}

const BACKCHANNEL_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6): whose sessions end, or which one. */
export interface LogoutToken {
  readonly jti: string;
  readonly expiresAtMs: number;
  readonly sub: string | undefined;
  readonly sid: string | undefined;
}

/** @throws {SsoFailure} */
export async function verifyLogoutToken(
  services: Asked,
  provider: ProviderConfiguration,
  { token, clientId }: { token: string; clientId: string },
): Promise<LogoutToken> {
  const types = [undefined, 'jwt', 'logout+jwt'];
  const payload = await verifySigned(services, provider, { token, clientId, types });
  const { jti, sub, iat = 0 } = payload;
  const { events, sid } = payload;
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, BACKCHANNEL_EVENT);
  if (!isLogout || 'nonce' in payload) throw new SsoFailure('logout', 'no logout token');
  if (typeof jti !== 'string' || jti === '') throw new SsoFailure('logout', 'jti');
  // Tokens without an end are remembered for the longest life that providers give them.
  const expiresAtMs = (payload.exp ?? iat + 600) * 1000;
  if (services.now() >= expiresAtMs + CLOCK_SKEW_SECONDS * 1000) throw new SsoFailure('times');
  const session = typeof sid === 'string' ? sid : undefined;
  if (sub === undefined && session === undefined) throw new SsoFailure('logout', 'neither sub nor sid');
  return { jti, expiresAtMs, sub, sid: session };
}

/**
 * The claims at the userinfo endpoint, for a provider whose ID tokens have none; empty if there is no such endpoint.
 * @throws {SsoFailure} for those of another subject
 */
export async function readUserinfo(
  { outbound, config }: Asked,
  { userinfo_endpoint: url }: ProviderConfiguration,
  { accessToken, sub }: { accessToken: string | undefined; sub: string },
): Promise<Readonly<Record<string, unknown>>> {
  if (url === undefined || accessToken === undefined) return {};
  if (!isCallableUrl(url, config.NODE_ENV === 'production')) return {};
  const read = z.record(z.string(), z.unknown()).safeParse(
    await getJson(outbound, url, {
      headers: { authorization: `Bearer ${accessToken}` },
      maxBytes: MAX_DOCUMENT_BYTES,
    }),
  );
  if (!read.success) throw new SsoFailure('userinfo', 'malformed');
  if (read.data['sub'] !== sub) throw new SsoFailure('userinfo', 'another subject');
  return read.data;
}
