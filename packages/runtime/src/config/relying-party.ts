import { isIP } from 'node:net';
import { parseUrl } from '@gatehouse/auth-core';

/** The relying party of a deployment's passkeys (WebAuthn Level 3, section 4). */
export interface RelyingParty {
  /** The RP ID: a domain. */
  readonly id: string;
  /** The origins whose pages may use its passkeys, each exactly. */
  readonly origins: readonly string[];
  /** Those outside the domain, which browsers look up at `/.well-known/webauthn`. */
  readonly relatedOrigins: readonly string[];
}

/** The variables that decide it. */
export interface RelyingPartyVariables {
  readonly APP_URL: string;
  readonly BASE_URL: string;
  readonly MAIN_URL?: string | undefined;
  readonly PASSKEY_RP_ID?: string | undefined;
  readonly PASSKEY_ORIGINS: readonly string[];
}

/**
 * The relying party of these variables: the host of APP_URL unless PASSKEY_RP_ID names another. Undefined if no page could use
 * its passkeys: on an IP address, and without TLS except on localhost.
 */
export function readRelyingParty(variables: RelyingPartyVariables): RelyingParty | undefined {
  const { APP_URL, BASE_URL, MAIN_URL, PASSKEY_RP_ID, PASSKEY_ORIGINS } = variables;
  const id = PASSKEY_RP_ID ?? hostOf(APP_URL);
  if (isAddress(id)) return undefined;
  const own = [APP_URL, BASE_URL, ...(MAIN_URL === undefined ? [] : [MAIN_URL])].map(
    (url) => new URL(url).origin,
  );
  const within = own.filter((origin) => isPasskeyOrigin(origin) && isWithin(origin, id));
  const origins = PASSKEY_ORIGINS.length > 0 ? PASSKEY_ORIGINS : [...new Set(within)];
  if (origins.length === 0) return undefined;
  return { id, origins, relatedOrigins: relatedOrigins(origins, id) };
}

/** Problems of the variables, each as `NAME: problem`. */
export function relyingPartyProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const { APP_URL: app, PASSKEY_RP_ID: chosen } = env;
  if (app === undefined || parseUrl(app) === undefined) return [];
  const host = hostOf(app);
  const id = chosen ?? host;
  const origins = (env['PASSKEY_ORIGINS'] ?? '').split(',').map((each) => each.trim());
  const isDomain = id.includes('.') || id === 'localhost' || id === host;
  return [
    ...(chosen !== undefined && (isAddress(chosen) || !isDomain || !isWithin(app, chosen))
      ? ['PASSKEY_RP_ID: must be the host of APP_URL or a domain above it, such as example.com']
      : []),
    ...(relatedOrigins(origins, id).length > MAX_RELATED
      ? [`PASSKEY_ORIGINS: must name at most ${MAX_RELATED} origins outside the domain of the passkeys`]
      : []),
  ];
}

/** Whether it is an origin whose pages or apps can use passkeys. */
export function isPasskeyOrigin(origin: string): boolean {
  if (/^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(origin)) return true;
  const url = parseUrl(origin);
  if (url?.origin !== origin) return false;
  const { protocol, hostname } = url;
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
}

/** Browsers follow no more domains than these (WebAuthn Level 3, section 5.11). */
const MAX_RELATED = 5;

function relatedOrigins(origins: readonly string[], id: string): string[] {
  return origins.filter((origin) => /^https?:/.test(origin) && parseUrl(origin) && !isWithin(origin, id));
}

function isWithin(url: string, id: string): boolean {
  const host = hostOf(url);
  return host === id || host.endsWith(`.${id}`);
}

function hostOf(url: string): string {
  return new URL(url).hostname;
}

function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}
