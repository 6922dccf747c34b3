// oxlint-disable-next-line typescript/triple-slash-reference -- a program that sees this file through a router alone needs these declarations
/// <reference path="./passport-modules.d.ts" />
import type OAuth2Strategy from 'passport-oauth2';
import type { SocialProfile } from './social-profile.js';

/** One request for the profile. */
export interface ProfileRequest {
  readonly at: 'profile' | 'organizations';
  /** The failures that still identify the person: none by default. */
  readonly mayFail?: 'refused' | 'anyhow';
  readonly headers?: Readonly<Record<string, string>>;
  /** Appended to the path of the address. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** How a provider renews an access token. */
export type RenewalGrant =
  /** RFC 6749, section 6. */
  | 'refresh_token'
  /** Facebook's method: a valid token is exchanged for a longer one. */
  | 'fb_exchange_token';

/** The options of each strategy. */
export interface StrategyOptions {
  clientID: string;
  clientSecret: string;
  callbackURL: string;
  authorizationURL: string;
  tokenURL: string;
  scope: string[];
  scopeSeparator: string;
}

/** A published strategy. */
export type StrategyClass = new (
  options: StrategyOptions,
  verify: (
    accessToken: string,
    refreshToken: string,
    results: unknown,
    profile: unknown,
    done: OAuth2Strategy.VerifyCallback,
  ) => void,
) => OAuth2Strategy;

/** The differences between providers. */
export interface SocialProvider {
  /** Its key for callers, in lower-case letters; in capitals it is the prefix of its variables. */
  readonly key: string;
  /** The name shown to people. */
  readonly name: string;
  /** The number in the API. */
  readonly providerId: number;
  /** How it vouches for an address, for docs/social.md. */
  readonly vouching: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly profileUrl: string;
  /** The address that lists a person's organisations, if any. */
  readonly organizationsUrl?: string | undefined;
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  /** Whether it supports PKCE with S256 (RFC 7636). */
  readonly usesPkce: boolean;
  /** Its parameter for the client id (`client_id` in RFC 6749). */
  readonly clientIdParameter: 'client_id' | 'client_key';
  /** How the client authenticates at the token endpoint (RFC 6749, section 2.3.1). */
  readonly clientAuthentication: 'body' | 'basic';
  /** Whether every profile request needs an HMAC of the token with the client secret. */
  readonly provesSecret: boolean;
  readonly renewalGrant: RenewalGrant;
  /** Error codes of the token endpoint that mean: this token can never be renewed. */
  readonly revocationCodes: readonly string[];
  readonly profileRequests: (scopes: readonly string[]) => readonly ProfileRequest[];
  /**
   * Reads the answers to those requests in order (undefined for a failed one). Undefined if there is no
   * profile.
   */
  readonly readProfile: (answers: readonly unknown[]) => SocialProfile | undefined;
  /** The passport strategy for its authorization request, loaded on first use. */
  readonly loadStrategy: () => Promise<StrategyClass>;
}

/** A request at the profile address, or at a path below it. */
export const profileAt = (query: Readonly<Record<string, string>>, path = ''): ProfileRequest => ({
  at: 'profile',
  path,
  query,
});
