import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

export const PROVIDER_KEYS = ['google', 'github', 'facebook', 'linkedin', 'twitter', 'tiktok'] as const;

export type ProviderKey = (typeof PROVIDER_KEYS)[number];

/** The grant of an application that a token represents. */
export interface Grant {
  readonly person: Person;
  readonly scopes: readonly string[];
}

/** Newly issued tokens. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
  readonly person: Person;
}

export interface Reply {
  readonly status: number;
  readonly json: unknown;
}

/** A request for the profile: the rest of its path, and its token. */
interface ProfileQuestion {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly accessToken: string;
  readonly clientSecret: string;
  readonly grant: Grant;
}

/** The differences of one provider from the standards, or within their options. */
export interface Dialect {
  readonly name: string;
  readonly authorizePath: string;
  readonly tokenPath: string;
  readonly profilePath: string;
  /** The URL that lists a person's organizations; `profile` answers there too. */
  readonly organizationsPath?: string;
  readonly scopeSeparator: ' ' | ',';
  readonly clientIdParameter: 'client_id' | 'client_key';
  readonly clientAuthentication: 'body' | 'basic';
  readonly pkce: 'required' | 'supported' | 'unknown';
  /** The lifetime of an access token, in seconds. */
  readonly accessTokenSeconds: number;
  /** Whether a refresh token works once and is then replaced. */
  readonly rotatesRefreshTokens: boolean;
  readonly renewalGrant: 'refresh_token' | 'fb_exchange_token';
  /** Whether a sign-in with these parameters gets a refresh token. */
  readonly givesRefreshToken: (authorization: URLSearchParams) => boolean;
  /** The callback's parameters when the person refuses. */
  readonly denial: Readonly<Record<string, string>>;
  /** What it adds to the callback as a fragment, which browsers keep through all redirects. */
  readonly fragment?: string;
  readonly tokens: (issued: IssuedTokens, kind: 'code' | 'renewal') => unknown;
  readonly refuseTokens: (reason: TokenRefusal) => Reply;
  readonly profile: (question: ProfileQuestion) => Reply;
  readonly refuseProfile: () => Reply;
}

/** The reason why no tokens are issued: a wrong client, code, verifier or refresh token. */
export type TokenRefusal = 'client' | 'code' | 'refresh';

/** A person with an account at every simulated provider. */
export const personSchema = z.object({
  id: z.string().regex(/^[A-Za-z0-9._-]{1,100}$/),
  firstName: z.string().max(100),
  lastName: z.string().max(100),
  /** Empty for a person without an address. */
  email: z.string().max(200),
  /** The provider's statement about the address, if any. */
  isEmailVerified: z.boolean(),
});

export type Person = z.output<typeof personSchema>;

/** The person at the consent page by default. */
export const ROBIN: Person = {
  id: '700100200',
  firstName: 'Robin',
  lastName: 'Rivera',
  email: 'robin@rivera.test',
  isEmailVerified: true,
};

/** The error a provider would report for an authorization request; undefined if it is valid. */
export function authorizationProblem(
  dialect: Dialect,
  clientId: string,
  query: URLSearchParams,
): string | undefined {
  const isChallenged = query.has('code_challenge');
  if (query.get(dialect.clientIdParameter) !== clientId) return 'unauthorized_client';
  if (query.get('response_type') !== 'code') return 'unsupported_response_type';
  if (!query.get('state')) return 'missing_state';
  if (!isWebAddress(query.get('redirect_uri') ?? '')) return 'invalid_redirect_uri';
  if (dialect.pkce === 'required' && !isChallenged) return 'missing_code_challenge';
  if (dialect.pkce === 'unknown' && isChallenged) return 'unexpected_code_challenge';
  if (isChallenged && query.get('code_challenge_method') !== 'S256') return 'weak_code_challenge';
  if (requestedScopes(dialect, query).some((scope) => /[\s,]/.test(scope))) return 'invalid_scope';
  return undefined;
}

/** The scopes of an authorization request, split by this provider's separator. */
export function requestedScopes(dialect: Dialect, query: URLSearchParams): string[] {
  return (query.get('scope') ?? '').split(dialect.scopeSeparator).filter(Boolean);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
