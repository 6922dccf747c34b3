import { createHash } from 'node:crypto';
import type { OidcSettings } from '@gatehouse/db/tables/sso-tables';
import { isCallableUrl } from '@gatehouse/runtime/network/guarded-client';
import type { Services } from '../core/context.js';
import { openSecret } from './connection-secrets.js';
import { connectionUrls } from './connection-view.js';
import {
  discoverProvider,
  exchangeCode,
  type ProviderConfiguration,
  readUserinfo,
  verifyIdToken,
} from './oidc-provider.js';
import {
  providerSessionKeyOf,
  type SsoClaims,
  signedOutAt,
  textsIn,
  type UsedConnection,
} from './sso-claims.js';
import { SsoFailure } from './sso-failure.js';

/** What a flow by OpenID Connect is bound to. */
interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Claims of the protocol, which say nothing about a person. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(
  'iss aud exp iat nbf nonce at_hash c_hash s_hash azp jti auth_time sid aio rh uti ver amr acr'.split(' '),
);

function settingsOf({ settings }: UsedConnection) {
  if (settings.kind !== 'oidc') throw new TypeError('A connection of another kind');
  return settings;
}

/** The authorization URL of a flow (OpenID Connect Core 1.0, section 3.1.2.1), with PKCE. */
export async function beginOidc(
  services: Services,
  connection: UsedConnection,
  { state, nonce, codeVerifier }: OidcFlow,
): Promise<string> {
  const { clientId, scopes, issuer } = settingsOf(connection);
  const provider = await discoverProvider(services, { issuer });
  const url = new URL(provider.authorization_endpoint);
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: connectionUrls(services, connection).callback,
    scope: scopes.join(' '),
    state,
    nonce,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * The identity of a person by the answer at the callback.
 * @throws {SsoFailure}
 */
export async function identifyByOidc(
  services: Services,
  connection: UsedConnection,
  { flow, query }: { flow: OidcFlow; query: URLSearchParams },
): Promise<SsoClaims> {
  const { clientId, issuer } = settingsOf(connection);
  const [error] = query.getAll('error');
  if (error !== undefined) {
    const code = error === 'access_denied' ? 'access_denied' : 'provider_failed';
    throw new SsoFailure('answer', /^[a-z_]{1,50}$/.test(error) ? error : undefined, code);
  }
  const provider = await discoverProvider(services, { issuer });
  // RFC 9207: the answer of another provider is not accepted.
  const issuers = query.getAll('iss');
  const isNamed = provider.authorization_response_iss_parameter_supported === true || issuers.length > 0;
  if (isNamed && (issuers.length !== 1 || issuers[0] !== issuer)) throw new SsoFailure('issuer', 'iss');
  const [code = '', ...others] = query.getAll('code');
  if (code === '' || code.length > 8192 || others.length > 0) throw new SsoFailure('answer', 'no code');
  const { id_token: token, access_token: accessToken } = await exchangeCode(services, provider, {
    clientId,
    clientSecret: openSecret(services.cipher, connection.key, connection.secret ?? ''),
    code,
    codeVerifier: flow.codeVerifier,
    redirectUri: connectionUrls(services, connection).callback,
  });
  const payload = await verifyIdToken(services, provider, { token, clientId, nonce: flow.nonce });
  const { sub } = payload;
  const further =
    payload['email'] === undefined ? await readUserinfo(services, provider, { accessToken, sub }) : {};
  const returnTo = signedOutAt(services, connection);
  const isProduction = services.config.NODE_ENV === 'production';
  const settings = settingsOf(connection);
  return toClaims({ provider, settings, returnTo, isProduction }, { ...further, ...payload });
}

function toClaims(
  {
    provider,
    settings,
    ...signedOut
  }: {
    provider: ProviderConfiguration;
    settings: OidcSettings;
    returnTo: string;
    isProduction: boolean;
  },
  all: Readonly<Record<string, unknown>> & { readonly sub: string },
): SsoClaims {
  const told = Object.entries(all).filter(([name]) => !OF_PROTOCOL.has(name));
  const text = (name: string) => (typeof all[name] === 'string' ? all[name] : null);
  const sid = text('sid');
  return {
    subject: all.sub,
    email: text('email'),
    emailVerified: isVerified(all['email_verified']),
    firstName: text('given_name') ?? text('name'),
    lastName: text('family_name'),
    values: textsIn(Object.fromEntries(told)),
    providerSessionKey: sid === null ? null : providerSessionKeyOf(settings, sid),
    sessionEndsAtMs: null,
    logoutUrl: logoutUrlOf(provider, { clientId: settings.clientId, ...signedOut }),
  };
}

const isVerified = (told: unknown): boolean | null =>
  told === undefined ? null : told === true || (typeof told === 'string' && told.toLowerCase() === 'true');

/** OpenID Connect RP-Initiated Logout 1.0, section 2, with the client's id in place of a token that we do not keep. */
function logoutUrlOf(
  { end_session_endpoint: endpoint }: ProviderConfiguration,
  { clientId, returnTo, isProduction }: { clientId: string; returnTo: string; isProduction: boolean },
): string | null {
  if (endpoint === undefined || !isCallableUrl(endpoint, isProduction)) return null;
  const url = new URL(endpoint);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('post_logout_redirect_uri', returnTo);
  return url.href;
}
