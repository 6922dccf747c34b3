import { createHmac, type JsonWebKey } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  decideAccess,
  deriveOpaqueToken,
  isOpaqueToken,
  makeOpaqueToken,
  sha256Hex,
} from '@gatehouse/auth-core';
import { findClient, hasApplicationSecret } from '@gatehouse/db/queries/applications';
import { escapeHtml } from '@gatehouse/http/pages/html-page';
import type { RawExchange } from '@gatehouse/http/rest/route';
import type * as library from 'oidc-provider';
import type { Client, Configuration, KoaContextWithOIDC, default as OidcProvider } from 'oidc-provider';
import type { Context, Services } from '../../core/context.js';
import { readAmr } from '../../core/guard/authentication-methods.js';
import { createArtifactStore } from './artifact-store.js';
import { rememberedGrant } from './consented-grant.js';
import { grantFacts } from './grant-standing.js';
import { limitProvider } from './limit-provider.js';
import { endVisit, logoutForm, signedOut } from './logout-page.js';
import { CLAIMS, memberClaims } from './member-claims.js';
import { contextOf, rememberContext, showPage } from './provider-context.js';
import { authenticatedAtMs, findVisitor, type Visitor } from './visitor.js';

type Library = typeof library;

/** The OpenID provider of a deployment (OpenID Connect Core 1.0, RFC 6749), and how requests of ours reach it. */
export interface OpenIdProvider {
  readonly provider: OidcProvider;
  /** Answers a request that is for the provider. */
  answer(exchange: Pick<RawExchange<Context>, 'ctx' | 'request' | 'response'>): Promise<void>;
}

const MINUTE = 60;
const DAY = 86_400;

/** How long each thing lives, in seconds. */
const LIVES = {
  AccessToken: 15 * MINUTE,
  AuthorizationCode: 1 * MINUTE,
  IdToken: 60 * MINUTE,
  Interaction: 60 * MINUTE,
  Session: 30 * DAY,
  Grant: 365 * DAY,
};

/** A refresh token lives so long after its last use, and its chain so long in all. */
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
  return made;
}

async function makeProvider(services: Services, keys: readonly JsonWebKey[]): Promise<OpenIdProvider> {
  const made = await import('oidc-provider');
  const { BASE_URL } = services.config;
  const provider = new made.Provider(BASE_URL, configurationOf(services, keys, made));
  provider.proxy = true;
  limitProvider(provider, made, services);
  withOwnTokens(provider, made, services);
  withOwnSessions(provider, services);
  provider.Client.prototype.compareClientSecret = async function compareClientSecret(secret: string) {
    const application = await findClient(services.db, this.clientId);
    if (application === undefined || !isOpaqueToken('clientSecret', secret)) return false;
    return hasApplicationSecret(services.db, { applicationId: application.id, digest: sha256Hex(secret) });
  };
  // Every ID token names the session, so that signing out need not ask.
  provider.Client.prototype.includeSid = () => true;
  provider.use(async (koa: KoaContextWithOIDC, next) => {
    await next();
    // RFC 7662, section 2.3. The library calls it a malformed request.
    if (koa.path !== '/oauth/introspect' || koa.status !== 400 || koa.oidc.client !== undefined) return;
    koa.status = 401;
    koa.set('WWW-Authenticate', 'Basic realm="gatehouse"');
    koa.body = { error: 'invalid_client', error_description: 'no client authentication' };
  });
  provider.on('server_error', ({ req }, error) => {
    services.log.failure('oauth', error, contextOf({ req }).call.requestId);
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
      await answer(request, response);
    },
  };
}

function configurationOf(
  services: Services,
  keys: readonly JsonWebKey[],
  { errors, interactionPolicy }: Library,
): Configuration {
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
    adapter: createArtifactStore(services, errors.InvalidGrant),
    jwks: { keys: [...keys] },
    findAccount: (koa, id) => findAccount(services, koa, id),
    loadExistingGrant: (koa) => rememberedGrant(services, koa),
    interactions: { url: (_, { uid }) => `/interaction/${uid}`, policy },
    routes: {
      authorization: '/oauth/authorize',
      end_session: '/oauth/logout',
      introspection: '/oauth/introspect',
      jwks: '/oauth/jwks',
      pushed_authorization_request: '/oauth/par',
      revocation: '/oauth/revoke',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      // Applications learn of their own tokens only. Keys of machines ask elsewhere.
      introspection: {
        enabled: true,
        allowedPolicy: (_, client, token) =>
          client.clientAuthMethod !== 'none' && client.clientId === token.clientId,
      },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => client.clientId === token.clientId },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: logoutForm,
        postLogoutSuccessSource: signedOut,
      },
    },
    claims: CLAIMS,
    scopes: Object.keys(CLAIMS).concat('offline_access'),
    acrValues: ['1', '2', '3'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: (_, origin, { redirectUris = [] }) =>
      redirectUris.some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
    cookies: {
      keys: [secretOf('oauth-cookies')],
      short: cookie,
      long: cookie,
      names: { session: 'gatehouse-oauth', interaction: 'gatehouse-interaction', resume: 'gatehouse-resume' },
    },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    extraParams: ['account'],
    // Grants say themselves which session they end with.
    expiresWithSession: () => false,
    pairwiseIdentifier: (_, accountId, client) =>
      createHmac('sha256', secretOf('oauth-pairwise'))
        .update(`${sectorOf(client)}:${accountId}`)
        .digest('base64url'),
    extraClientMetadata: { properties: ['pkce_exempt'] },
    // Staff may exempt an application whose library cannot do it and sends a nonce.
    pkce: { required: ({ oidc }, client) => client['pkce_exempt'] !== true || !oidc.params?.['nonce'] },
    responseTypes: ['code'],
    rotateRefreshToken: true,
    subjectTypes: ['public', 'pairwise'],
    ttl: {
      ...LIVES,
      RefreshToken: (_, token) => Math.max(1, Math.min(REFRESH_IDLE, REFRESH_CHAIN - token.totalLifetime())),
    },
    renderError: (koa, { error, error_description: why }) => {
      const page = {
        title: 'That did not work',
        body: [
          '<p>The application sent a request that cannot be answered. Go back to it and try again.</p>',
          `<p class="hint">${escapeHtml([error, why].filter(Boolean).join(': '))}</p>`,
        ].join('\n'),
      };
      showPage(koa, page);
    },
  };
}

/** The host of an application's redirect URIs; those at several hosts are told apart by their client ids. */
function sectorOf({ redirectUris = [], clientId }: Client): string {
  const hosts = new Set(redirectUris.map((uri) => new URL(uri).host));
  const [host] = hosts;
  return hosts.size === 1 && host ? host : clientId;
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
      return memberClaims(services, member, { scopes: new Set(scope.split(' ')), grant });
    },
  };
}

/** Tokens in our own format, whose successors follow from them, and grants that say what they rest on. */
function withOwnTokens(provider: OidcProvider, { Provider }: Library, { config }: Services): void {
  const { AccessToken, Grant, RefreshToken } = provider;
  const choosesFormat: unknown = Reflect.get(AccessToken.prototype, 'generateTokenId');
  Reflect.set(AccessToken.prototype, 'generateTokenId', function generateTokenId(this: object) {
    if (typeof choosesFormat === 'function') Reflect.apply(choosesFormat, this, []);
    return makeOpaqueToken('accessToken');
  });
  Reflect.set(RefreshToken.prototype, 'generateTokenId', () => {
    // Tabs that refresh at the same time get the same token, so no chain has branches.
    const before = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
    return before === undefined
      ? makeOpaqueToken('refreshToken')
      : deriveOpaqueToken('refreshToken', before, config.SESSION_SECRET);
  });
  const names = [...Grant.IN_PAYLOAD, ...Object.keys(grantFacts.shape)];
  Object.defineProperty(Grant, 'IN_PAYLOAD', { get: () => names });
}

/**
 * The session of the provider is the one that the visitor's browser has with us. What applications know of it is stored under the
 * number of that session, so that it ends with it. Only visitors without a session get a cookie of the library.
 */
function withOwnSessions(provider: OidcProvider, { access }: Services): void {
  const { Session } = provider;
  const readCookie = Session.get.bind(Session);
  const withVisitor = new WeakSet<IncomingMessage>();
  Session.get = async function get(koa: KoaContextWithOIDC) {
    const ctx = contextOf(koa);
    const visitor = await findVisitor(ctx, access);
    if (visitor === undefined) return readCookie(koa);
    withVisitor.add(koa.req);
    const uid = `s${visitor.familyId}`;
    const stored = await Session.adapter.find(uid);
    const session = Object.assign(new Session(), stored, sessionFacts(visitor), { jti: uid, uid });
    // What applications know of it is stored with each answer.
    Reflect.set(session, 'touched', true);
    session.resetIdentifier = () => undefined;
    session.destroy = async () => {
      await endVisit(ctx, koa, visitor);
      await Session.adapter.destroy(uid);
      // The library marks it through a proxy.
      Reflect.set(session, 'destroyed', true);
    };
    koa.oidc.entity('Session', session);
    return session;
  };
  provider.use(async (koa, next) => {
    await next();
    if (!withVisitor.has(koa.req)) return;
    const lines = [koa.response.get('Set-Cookie')].flat();
    koa.remove('Set-Cookie');
    const kept = lines.filter((line) => line !== '' && !line.startsWith(provider.cookieName('session')));
    if (kept.length > 0) koa.set('Set-Cookie', kept);
  });
}

/** A visitor's session in the terms of the provider. */
function sessionFacts({ memberId, session }: Visitor) {
  const { amr, level } = session;
  return {
    accountId: String(memberId),
    loginTs: Math.floor(authenticatedAtMs(session) / 1000),
    amr: readAmr(amr),
    acr: String(level),
  };
}
