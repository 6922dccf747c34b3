import { createHmac, type JsonWebKey } from 'node:crypto';
import { decideAccess } from '@gatehouse/auth-core';
import { escapeHtml } from '@gatehouse/http/pages/html-page';
import type { RawExchange } from '@gatehouse/http/rest/route';
import { toFailure } from '@gatehouse/http/server/request-failure';
import type * as library from 'oidc-provider';
import type { Client, Configuration, KoaContextWithOIDC, default as OidcProvider } from 'oidc-provider';
import type { Context, Services } from '../../core/context.js';
import { grantFacts } from '../../core/guard/grant-standing.js';
import { CLIENT_SIGNATURES } from '../client-keys.js';
import { createArtifactStore } from './artifact-store.js';
import { readClientKeySet, refuseLastingAssertion, withCurrentKeys } from './client-assertion.js';
import { openIdScopesOf } from './client-metadata.js';
import { CONSENT_WORDS } from './consent-words.js';
import { rememberedGrant } from './consented-grant.js';
import { limitProvider } from './limit-provider.js';
import { logoutForm, signedOutPage } from './logout-page.js';
import { CLAIMS, memberClaims } from './member-claims.js';
import { contextOf, koaLocale, leadOn, rememberContext, showPage } from './provider-context.js';
import { resourceServerOf } from './resource-server-of.js';
import { withBackchannelLogout } from './with-backchannel-logout.js';
import { deviceFacts, withDeviceCodes } from './with-device-codes.js';
import { machineClaims, withMachineTokens } from './with-machine-tokens.js';
import { withOwnSecrets } from './with-own-secrets.js';
import { withOwnSessions } from './with-own-sessions.js';
import { withOwnTokens } from './with-own-tokens.js';
import { withSignedTokens } from './with-signed-tokens.js';

type Library = typeof library;

/** The OpenID provider of a deployment (OpenID Connect Core 1.0, RFC 6749), and how our own requests reach it. */
export interface OpenIdProvider {
  readonly provider: OidcProvider;
  /** Answers a request that is for the provider. */
  answer(exchange: Pick<RawExchange<Context>, 'ctx' | 'request' | 'response'>): Promise<void>;
}

const MINUTE = 60;
const DAY = 86_400;

/** The lifetime of each thing, in seconds. */
const LIVES = {
  AccessToken: 15 * MINUTE,
  AuthorizationCode: 1 * MINUTE,
  ClientCredentials: 15 * MINUTE,
  DeviceCode: 10 * MINUTE,
  IdToken: 60 * MINUTE,
  Interaction: 60 * MINUTE,
  Session: 30 * DAY,
};

/** The lifetime of a refresh token after its last use, and that of its whole chain. */
const REFRESH_IDLE = 30 * DAY;
const REFRESH_CHAIN = 365 * DAY;

const opened = new WeakMap<
  Services,
  { readonly keys: readonly JsonWebKey[]; readonly made: Promise<OpenIdProvider> }
>();

/** The provider of these services, made when it is first needed, and again when the signing keys have changed. */
export async function openProvider(services: Services): Promise<OpenIdProvider> {
  const keys = await services.signingKeys.keySet();
  const known = opened.get(services);
  if (known?.keys === keys) return known.made;
  const made = makeProvider(services, keys);
  opened.set(services, { keys, made });
  made.catch(() => opened.delete(services));
  return made;
}

async function makeProvider(services: Services, keys: readonly JsonWebKey[]): Promise<OpenIdProvider> {
  const made = await import('oidc-provider');
  const { BASE_URL } = services.config;
  const provider = new made.Provider(BASE_URL, configurationOf(services, keys, made));
  provider.proxy = true;
  answerFailures(provider, services);
  limitProvider(provider, made, services);
  withOwnTokens(provider, made, services);
  withSignedTokens(provider, services);
  withMachineTokens(provider, made, services);
  withDeviceCodes(provider, made, services);
  withBackchannelLogout(provider, services);
  withOwnSessions(provider, services);
  withOwnSecrets(provider, services);
  withCurrentKeys(provider, made, services);
  // Every ID token names the session, so that signing out need not ask.
  provider.Client.prototype.includeSid = () => true;
  provider.use(async (koa: KoaContextWithOIDC, next) => {
    await next();
    if (koa.path !== '/oauth/logout/confirm' || !koa.res.hasHeader('Location')) return;
    const to = koa.response.get('Location');
    // Browsers apply the policy of a page to the answers to its forms, and that policy allows no other target.
    if (!to.startsWith(BASE_URL)) leadOn(koa, to);
  });
  provider.use(async (koa: KoaContextWithOIDC, next) => {
    await next();
    // RFC 7662, section 2.3. The library calls it a malformed request.
    if (koa.path !== '/oauth/introspect' || koa.status !== 400 || koa.oidc.client !== undefined) return;
    koa.status = 401;
    koa.set('WWW-Authenticate', 'Basic realm="gatehouse"');
    koa.body = { error: 'invalid_client', error_description: 'no client authentication' };
  });
  provider.on('server_error', (koa, error) => {
    const { code, isForeseen, retryAfterSeconds = 5 } = toFailure(error);
    if (!isForeseen) services.log.failure('oauth', error, contextOf(koa).call.requestId);
    if (code !== 'unavailable' || koa.status !== 500) return;
    koa.status = 503;
    koa.set('Retry-After', String(retryAfterSeconds));
  });
  const answer = provider.callback();
  const { host, protocol } = new URL(BASE_URL);
  return {
    provider,
    async answer({ ctx, request, response }) {
      rememberContext(request, ctx);
      // The library takes its addresses from these headers, which anybody may send.
      request.headers['x-forwarded-host'] = host;
      request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
      // So that the library may add the script of its pages, which send a form on.
      response.setHeader(
        'Content-Security-Policy',
        "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
      );
      // The library leaves the CORS headers alone if there already is one.
      if (!response.hasHeader('Access-Control-Allow-Origin'))
        response.removeHeader('Access-Control-Expose-Headers');
      await answer(request, response);
    },
  };
}

function configurationOf(services: Services, keys: readonly JsonWebKey[], made: Library): Configuration {
  const { interactionPolicy } = made;
  const { config } = services;
  const secretOf = (use: string) =>
    createHmac('sha256', config.SESSION_SECRET).update(use).digest('base64url');
  const cookie = {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    secure: config.BASE_URL.startsWith('https:'),
  } as const;
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 1);
  return {
    adapter: createArtifactStore(services, made),
    jwks: { keys: [...keys] },
    findAccount: (koa, id) => findAccount(services, koa, id),
    loadExistingGrant: (koa) => rememberedGrant(services, koa),
    interactions: { url: (_, { uid }) => `/interaction/${uid}`, policy },
    routes: {
      authorization: '/oauth/authorize',
      code_verification: '/device',
      device_authorization: '/oauth/device',
      end_session: '/oauth/logout',
      introspection: '/oauth/introspect',
      jwks: '/oauth/jwks',
      pushed_authorization_request: '/oauth/par',
      revocation: '/oauth/revoke',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
    },
    features: {
      // The library only announces it; a job of ours sends the logouts.
      backchannelLogout: { enabled: true },
      // Its pages are ours.
      deviceFlow: { enabled: true, mask: '****-****', deviceInfo: deviceFacts },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      // Applications can ask only about their own tokens. APIs ask with keys of machines, elsewhere.
      introspection: {
        enabled: true,
        allowedPolicy: (_, client, token) =>
          client.clientAuthMethod !== 'none' && client.clientId === token.clientId,
      },
      resourceIndicators: {
        enabled: true,
        async getResourceServerInfo({ oidc }, resource, client) {
          const server = await resourceServerOf(services, oidc.params?.['resource'], resource, client);
          if (server === undefined) throw new made.errors.InvalidTarget();
          return server;
        },
      },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => client.clientId === token.clientId },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: logoutForm,
        postLogoutSuccessSource: (koa) => showPage(koa, signedOutPage(koaLocale(koa))),
      },
    },
    claims: CLAIMS,
    scopes: Object.keys(CLAIMS).concat('offline_access'),
    acrValues: ['1', '2', '3'],
    ...(config.OAUTH_CLIENT_DOCUMENTS.length === 0
      ? {}
      : { discovery: { client_id_metadata_document_supported: true } }),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    assertJwtClientAuthClaimsAndHeader: (_, claims) => refuseLastingAssertion(services, claims, made),
    // It reads only the keys of applications.
    fetch: (url) => readClientKeySet(services, new Request(url).url),
    clientBasedCORS: (_, origin, { redirectUris = [] }) =>
      redirectUris.some((uri) => /^https?:/.test(uri) && new URL(uri).origin === origin),
    cookies: {
      keys: [secretOf('oauth-cookies')],
      short: cookie,
      long: cookie,
      names: { session: 'gatehouse-oauth', interaction: 'gatehouse-interaction', resume: 'gatehouse-resume' },
    },
    enabledJWA: {
      idTokenSigningAlgValues: ['RS256', 'ES256'],
      clientAuthSigningAlgValues: [...CLIENT_SIGNATURES],
    },
    extraParams: ['account'],
    extraTokenClaims: machineClaims,
    // Grants say themselves which session they end with.
    expiresWithSession: () => false,
    pairwiseIdentifier: (_, accountId, client) =>
      createHmac('sha256', secretOf('oauth-pairwise'))
        .update(`${sectorOf(client)}:${accountId}`)
        .digest('base64url'),
    extraClientMetadata: { properties: ['api_scope', 'pkce_exempt', 'publisher_id'] },
    // Staff may exempt an application whose library cannot do it and sends a nonce.
    pkce: { required: ({ oidc }, client) => client['pkce_exempt'] !== true || !oidc.params?.['nonce'] },
    responseTypes: ['code'],
    // Otherwise an agent would send its person to a page every quarter of an hour.
    issueRefreshToken: (_, client, { scopes, resource }) =>
      client.grantTypeAllowed('refresh_token') && (scopes.has('offline_access') || resource !== undefined),
    rotateRefreshToken: true,
    subjectTypes: ['public', 'pairwise'],
    ttl: {
      ...LIVES,
      AccessToken: (_, { resourceServer }) => resourceServer?.accessTokenTTL ?? LIVES.AccessToken,
      // A grant of a session is of no use after the session.
      Grant: (_, grant) =>
        grantFacts.safeParse(grant).data?.familyId === null ? REFRESH_CHAIN : LIVES.Session,
      RefreshToken: (_, token) => Math.max(1, Math.min(REFRESH_IDLE, REFRESH_CHAIN - token.totalLifetime())),
    },
    renderError: (koa, { error, error_description: why }) => {
      const language = koaLocale(koa);
      const words = CONSENT_WORDS[language];
      const page = {
        title: words.failed,
        language,
        body: [
          `<p>${words.failedLead}</p>`,
          `<p class="hint">${escapeHtml([error, why].filter(Boolean).join(': '))}</p>`,
        ].join('\n'),
      };
      showPage(koa, page);
    },
  };
}

/**
 * What applications that know a member by the same pairwise subject have in common: their publisher, and the host of their
 * redirect URIs, which is one.
 */
function sectorOf({ redirectUris = [], clientId, ...client }: Client): string {
  const [uri] = redirectUris;
  return `${String(client['publisher_id'])}:${uri === undefined ? clientId : new URL(uri).host}`;
}

/** Answers what fails outside the library's own handlers, such as a limit while the database is away. */
function answerFailures(provider: OidcProvider, { log }: Services): void {
  provider.use(async (koa, next) => {
    try {
      await next();
    } catch (error) {
      const { code, status, isForeseen, retryAfterSeconds } = toFailure(error);
      if (!isForeseen) log.failure('oauth', error, contextOf(koa).call.requestId);
      koa.status = status;
      if (retryAfterSeconds !== undefined) koa.set('Retry-After', String(retryAfterSeconds));
      const passes = code === 'unavailable' || code === 'rate_limited';
      koa.body = { error: passes ? 'temporarily_unavailable' : 'server_error' };
    }
  });
}

/** The member that a grant is about, with the claims of its scopes; undefined if they may not act. */
async function findAccount(services: Services, { oidc }: KoaContextWithOIDC, accountId: string) {
  const { access, roles } = services;
  const member = await access.member(Number(accountId));
  if (member === undefined || decideAccess(roles, member, {}).reason !== undefined) return undefined;
  return {
    accountId,
    async claims(_use: string, scope: string) {
      const grant = grantFacts.safeParse(oidc.entities.Grant).data;
      if (grant === undefined) return { sub: accountId };
      const application = await access.application(grant.applicationId);
      const may = new Set(application && openIdScopesOf(application));
      const scopes = new Set(scope.split(' ').filter((each) => may.has(each)));
      return memberClaims(services, member, { scopes, grant });
    },
  };
}
