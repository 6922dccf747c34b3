import type { IncomingHttpHeaders } from 'node:http';
import type { Person } from './person.js';

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
export interface ProfileQuestion {
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
  /** The URL that lists a person's organisations; `profile` answers there too. */
  readonly organizationsPath?: string;
  readonly scopeSeparator: ' ' | ',';
  readonly clientIdParameter: 'client_id' | 'client_key';
  readonly clientAuthentication: 'body' | 'basic';
  readonly pkce: 'required' | 'supported' | 'unknown';
  /** The life of an access token, in seconds. */
  readonly accessTokenSeconds: number;
  /** Whether a refresh token works once and is then replaced. */
  readonly rotatesRefreshTokens: boolean;
  readonly renewalGrant: 'refresh_token' | 'fb_exchange_token';
  /** Whether a sign-in with these parameters gets a refresh token. */
  readonly givesRefreshToken: (authorization: URLSearchParams) => boolean;
  /** The callback's parameters when the person refuses. */
  readonly denial: Readonly<Record<string, string>>;
  /** What it adds to the callback behind a hash, which browsers carry through all redirects. */
  readonly fragment?: string;
  readonly tokens: (issued: IssuedTokens, kind: 'code' | 'renewal') => unknown;
  readonly refuseTokens: (reason: TokenRefusal) => Reply;
  readonly profile: (question: ProfileQuestion) => Reply;
  readonly refuseProfile: () => Reply;
}

/** The reason why no tokens are issued: a wrong client, code, verifier or refresh token. */
export type TokenRefusal = 'client' | 'code' | 'refresh';
