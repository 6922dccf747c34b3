// oxlint-disable-next-line typescript/triple-slash-reference -- a program that sees this file through a router alone needs these declarations
/// <reference path="../passport-modules.d.ts" />
import type { StrategyClass } from 'passport-oauth2';
import type { SocialProfile } from './social-profile.js';
import type { SocialProviderKey } from './social-provider-key.js';

/** One request for the profile. */
export interface ProfileRequest {
  /** Which address is asked. Who somebody is, is known without the answer of `organizations`, which may fail. */
  readonly at: 'profile' | 'organizations';
  /** Appended to the path of the address. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** How a provider gives a new access token for an old one. */
export type RenewalGrant =
  /** RFC 6749, section 6. */
  | 'refresh_token'
  /** Facebook's own: a token that still works is exchanged for a longer one. */
  | 'fb_exchange_token';

/** Everything in which one provider differs from another. */
export interface SocialProvider {
  readonly key: SocialProviderKey;
  /** As people know it. */
  readonly name: string;
  /** The number under which the interface knows it. */
  readonly providerId: number;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly profileUrl: string;
  /** Where it tells for which organisations somebody may act, if it does. */
  readonly organizationsUrl?: string | undefined;
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  /** Whether it takes PKCE with S256 (RFC 7636). */
  readonly usesPkce: boolean;
  /** What it calls the client id (RFC 6749 says `client_id`). */
  readonly clientIdParameter: 'client_id' | 'client_key';
  /** How the client proves itself at the token address (RFC 6749, section 2.3.1). */
  readonly clientAuthentication: 'body' | 'basic';
  /** Whether every request for the profile must carry an HMAC of the token made with the client secret. */
  readonly provesSecret: boolean;
  readonly renewalGrant: RenewalGrant;
  /** Error codes of the token address that mean: this token will never be renewed again. */
  readonly revocationCodes: readonly string[];
  readonly profileRequests: (scopes: readonly string[]) => readonly ProfileRequest[];
  /** Reads the answers to those requests, in their order (undefined for one that failed); undefined for what is no profile. */
  readonly readProfile: (answers: readonly unknown[]) => SocialProfile | undefined;
  /** The passport strategy that knows how it wants to be asked, loaded when it is first needed. */
  readonly loadStrategy: () => Promise<StrategyClass>;
}

/** A request at the profile address itself, or at a path below it. */
export const profileAt = (query: Readonly<Record<string, string>>, path = ''): ProfileRequest => ({
  at: 'profile',
  path,
  query,
});
