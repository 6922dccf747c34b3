import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { type BillingSimulator, createBillingSimulator } from '../billing/billing-simulator.js';
import { DEFAULT_EVENTS_PORT, forwardDeliveries } from '../events/forward-deliveries.js';
import { misbehave, misbehaviourSchema } from '../misbehaviour.js';
import { consentPage } from './consent-page.js';
import {
  authorizationProblem,
  type Dialect,
  type Grant,
  type Person,
  PROVIDER_KEYS,
  type ProviderKey,
  personSchema,
  type Reply,
  ROBIN,
  requestedScopes,
} from './dialect.js';
import { DIALECTS } from './dialects.js';
import { simulatedClient } from './simulated-clients.js';

/** A provider's behavior until it is changed. */
export const conductSchema = z.object({
  token: misbehaviourSchema.nullable().optional(),
  profile: misbehaviourSchema.nullable().optional(),
  organizations: misbehaviourSchema.nullable().optional(),
  addresses: misbehaviourSchema.nullable().optional(),
  /** The lifetime of access tokens in seconds; the provider's own by default. */
  accessTokenSeconds: z.number().int().positive().nullable().optional(),
});

export type Conduct = z.output<typeof conductSchema>;

export interface ProviderSimulator extends AsyncDisposable {
  readonly url: string;
  /** Stripe and Paddle, at the same address. */
  readonly billing: BillingSimulator;
  /** Every token and code the providers issued, in order. */
  readonly issued: readonly string[];
  tell(key: ProviderKey, conduct: Conduct): void;
  /** How often a provider's token endpoint was called. */
  tokenRequests(key: ProviderKey): number;
  /** Invalidates every refresh token of a provider, as when people withdraw consent. */
  revokeAll(key: ProviderKey): void;
}

interface Code extends Grant {
  readonly key: ProviderKey;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly givesRefreshToken: boolean;
}

const control = z.object({ provider: z.enum(PROVIDER_KEYS), ...conductSchema.shape });

/**
 * Starts the six social providers, each under its key, the two payment providers, and the receiver of the demonstration's events
 * (`/events`) on one address. Their data is gone when they stop.
 */
export async function startProviderSimulator({
  port = 0,
  host = '127.0.0.1',
  eventsPort = DEFAULT_EVENTS_PORT,
}: {
  port?: number;
  host?: string;
  /** Where events are passed on to. */
  eventsPort?: number;
} = {}): Promise<ProviderSimulator> {
  const codes = new Map<string, Code>();
  const accessTokens = new Map<string, Grant & { key: ProviderKey; expiresAtMs: number }>();
  const refreshTokens = new Map<string, Grant & { key: ProviderKey }>();
  const conducts = new Map<ProviderKey, Conduct>();
  const counts = new Map<ProviderKey, number>();
  const issued: string[] = [];
  const billing = createBillingSimulator();
  const deliveries = forwardDeliveries(eventsPort);

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        reply(response, {
          status: 400,
          json: { error: 'invalid_request', error_description: String(error) },
        });
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://simulator');
    if (url.pathname === '/readyz') return reply(response, { status: 200, json: { status: true } });
    if (url.pathname === '/control' && request.method === 'POST') {
      const { provider, ...conduct } = control.parse(JSON.parse(await bodyText(request)));
      tell(provider, conduct);
      return reply(response, { status: 200, json: { provider, ...conducts.get(provider) } });
    }
    if (url.pathname === '/events' && request.method === 'POST') return deliveries.forward(request, response);
    if (await billing.answer(request, response, url)) return;
    const key = PROVIDER_KEYS.find((each) => url.pathname.startsWith(`/${each}/`));
    if (!key) return reply(response, { status: 404, json: { error: 'not_found' } });
    const path = url.pathname.slice(key.length + 1);
    const dialect = DIALECTS[key];
    if (path === dialect.authorizePath) return authorize(key, url.searchParams, response);
    if (path === '/consent' && request.method === 'POST') return consent(key, await form(request), response);
    if (path === dialect.tokenPath && request.method === 'POST') return token(key, request, response);
    if (path === dialect.organizationsPath) {
      return profile(key, path, url.searchParams, request, response, 'organizations');
    }
    if (path.startsWith(dialect.profilePath)) {
      return profile(key, path.slice(dialect.profilePath.length), url.searchParams, request, response);
    }
    return reply(response, { status: 404, json: { error: 'not_found' } });
  }

  function authorize(key: ProviderKey, query: URLSearchParams, response: ServerResponse): void {
    const dialect = DIALECTS[key];
    const problem = authorizationProblem(dialect, simulatedClient(key).id, query);
    if (problem !== undefined) {
      reply(response, { status: 400, json: { error: problem } });
      return;
    }
    const html = consentPage(dialect, {
      action: `/${key}/consent`,
      query: query.toString(),
      person: ROBIN,
      scopes: requestedScopes(dialect, query),
    });
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html);
  }

  function consent(key: ProviderKey, fields: URLSearchParams, response: ServerResponse): void {
    const dialect = DIALECTS[key];
    const query = new URLSearchParams(fields.get('query') ?? '');
    const problem = authorizationProblem(dialect, simulatedClient(key).id, query);
    if (problem !== undefined) {
      reply(response, { status: 400, json: { error: problem } });
      return;
    }
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    back.hash = dialect.fragment ?? '';
    if (fields.get('decision') !== 'allow') {
      for (const [name, value] of Object.entries(dialect.denial)) back.searchParams.set(name, value);
      redirect(response, back);
      return;
    }
    const code = make(`${key}-code`);
    codes.set(code, {
      key,
      person: personIn(fields),
      scopes: requestedScopes(dialect, query),
      redirectUri: query.get('redirect_uri') ?? '',
      challenge: query.get('code_challenge'),
      givesRefreshToken: dialect.givesRefreshToken(query),
    });
    back.searchParams.set('code', code);
    redirect(response, back);
  }

  async function token(key: ProviderKey, request: IncomingMessage, response: ServerResponse): Promise<void> {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const fields = await form(request);
    const how = conducts.get(key)?.token;
    if (how && !(await misbehave(how, response))) return;
    const dialect = DIALECTS[key];
    if (!isOurClient(key, dialect, request, fields)) return reply(response, dialect.refuseTokens('client'));
    if (fields.get('grant_type') === 'authorization_code') {
      const code = consumeCode(key, fields);
      if (!code) return reply(response, dialect.refuseTokens('code'));
      return reply(response, { status: 200, json: issue(key, code, 'code', code.givesRefreshToken) });
    }
    const grant = consumeRenewal(key, dialect, fields);
    if (!grant) return reply(response, dialect.refuseTokens('refresh'));
    const givesRefreshToken = dialect.renewalGrant === 'refresh_token';
    return reply(response, { status: 200, json: issue(key, grant, 'renewal', givesRefreshToken) });
  }

  /** A code works once, only for its own redirect URL, and only with the verifier of its challenge. */
  function consumeCode(key: ProviderKey, fields: URLSearchParams): Code | undefined {
    const code = codes.get(fields.get('code') ?? '');
    codes.delete(fields.get('code') ?? '');
    if (code?.key !== key || code.redirectUri !== fields.get('redirect_uri')) return undefined;
    const verifier = fields.get('code_verifier');
    if (code.challenge === null) return verifier === null ? code : undefined;
    const challenge = createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url');
    return challenge === code.challenge ? code : undefined;
  }

  function consumeRenewal(key: ProviderKey, dialect: Dialect, fields: URLSearchParams): Grant | undefined {
    if (fields.get('grant_type') !== dialect.renewalGrant) return undefined;
    if (dialect.renewalGrant === 'fb_exchange_token') {
      const known = accessTokens.get(fields.get('fb_exchange_token') ?? '');
      return known?.key === key && Date.now() < known.expiresAtMs ? known : undefined;
    }
    const text = fields.get('refresh_token') ?? '';
    const known = refreshTokens.get(text);
    if (known?.key !== key) return undefined;
    if (dialect.rotatesRefreshTokens) refreshTokens.delete(text);
    return known;
  }

  function issue(
    key: ProviderKey,
    { person, scopes }: Grant,
    kind: 'code' | 'renewal',
    givesRefreshToken: boolean,
  ): unknown {
    const dialect = DIALECTS[key];
    const expiresInSeconds = conducts.get(key)?.accessTokenSeconds ?? dialect.accessTokenSeconds;
    const accessToken = make(`${key}-access`);
    const refreshToken = givesRefreshToken ? make(`${key}-refresh`) : '';
    const lifeMs = expiresInSeconds === 0 ? Number.POSITIVE_INFINITY : expiresInSeconds * 1000;
    accessTokens.set(accessToken, { key, person, scopes, expiresAtMs: Date.now() + lifeMs });
    if (givesRefreshToken) refreshTokens.set(refreshToken, { key, person, scopes });
    return dialect.tokens({ accessToken, refreshToken, expiresInSeconds, scopes, person }, kind);
  }

  async function profile(
    key: ProviderKey,
    path: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
    asked: 'profile' | 'organizations' = 'profile',
  ): Promise<void> {
    const how = conducts.get(key)?.[path === '/emails' ? 'addresses' : asked];
    if (how && !(await misbehave(how, response))) return;
    const dialect = DIALECTS[key];
    const accessToken = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const grant = accessTokens.get(accessToken);
    if (grant?.key !== key || Date.now() >= grant.expiresAtMs)
      return reply(response, dialect.refuseProfile());
    const clientSecret = simulatedClient(key).secret;
    return reply(
      response,
      dialect.profile({ path, query, headers: request.headers, accessToken, clientSecret, grant }),
    );
  }

  function make(kind: string): string {
    const text = `${kind}-${randomBytes(24).toString('base64url')}`;
    issued.push(text);
    return text;
  }

  function tell(key: ProviderKey, conduct: Conduct): void {
    conducts.set(key, { ...conducts.get(key), ...conduct });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The simulator has no port');

  return {
    url: `http://${host}:${address.port}`,
    billing,
    issued,
    tell,
    tokenRequests: (key) => counts.get(key) ?? 0,
    revokeAll(key) {
      for (const [text, grant] of refreshTokens) if (grant.key === key) refreshTokens.delete(text);
      for (const [text, grant] of accessTokens) if (grant.key === key) accessTokens.delete(text);
    },
    async [Symbol.asyncDispose]() {
      deliveries[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

function isOurClient(
  key: ProviderKey,
  dialect: Dialect,
  request: IncomingMessage,
  fields: URLSearchParams,
): boolean {
  const { id, secret } = simulatedClient(key);
  if (dialect.clientAuthentication === 'basic') {
    return request.headers.authorization === `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  }
  return fields.get(dialect.clientIdParameter) === id && fields.get('client_secret') === secret;
}

function personIn(fields: URLSearchParams): Person {
  return personSchema.parse({
    id: fields.get('id'),
    firstName: fields.get('firstName'),
    lastName: fields.get('lastName'),
    email: fields.get('email'),
    isEmailVerified: fields.get('isEmailVerified') === 'true',
  });
}

async function form(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await bodyText(request));
}

async function bodyText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function reply(response: ServerResponse, { status, json }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(json));
}

function redirect(response: ServerResponse, url: URL): void {
  response.writeHead(302, { location: url.href });
  response.end();
}
