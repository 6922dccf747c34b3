import { parseUrl } from './parse-url.js';

/** The longest redirect URI, in characters. */
export const MAX_REDIRECT_URI_LENGTH = 512;

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

/** The scheme of a native application is a reversed domain (RFC 8252, section 7.1), so that it belongs to somebody. */
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+:$/;

export interface RedirectUriRules {
  /** Whether it may use its own scheme. */
  readonly isNative: boolean;
  /** Whether it may use `http` on a loopback address; by default the same as `isNative`. */
  readonly isLocal?: boolean;
  /** The hosts of the service, with their ports. */
  readonly ownHosts: ReadonlySet<string>;
}

/**
 * Whether an application may register an address that browsers are sent to. It has to be `https` at a named host; native
 * applications may also use `http` on a loopback address, at any port, and a scheme that is a domain backwards. No address has a
 * fragment, user information, a wildcard or steps upwards, and none is at one of our own hosts.
 * @param text exactly as requests will name it
 */
export function isRedirectUri(
  text: string,
  { isNative, isLocal = isNative, ownHosts }: RedirectUriRules,
): boolean {
  if (text.length > MAX_REDIRECT_URI_LENGTH || !/^[\u0021-\u007e]+$/.test(text)) return false;
  if (/[#*\\]/.test(text) || hasStepsUpwards(text)) return false;
  const url = parseUrl(text);
  if (url === undefined || url.username !== '' || url.password !== '' || ownHosts.has(url.host)) return false;
  const { protocol, hostname } = url;
  if (protocol === 'https:')
    return isPublicName(hostname) && !isNameOf(ownHosts, hostname) && isWrittenSo(text, url);
  if (protocol === 'http:') return isLocal && LOOPBACK.has(hostname) && isWrittenSo(text, url);
  return isNative && REVERSE_DOMAIN.test(protocol) && text.startsWith(protocol);
}

/** Whether a path has `..`, in any spelling. */
function hasStepsUpwards(text: string): boolean {
  return /(?:\.|%2e){2}/i.test(text);
}

/**
 * Whether a parsed host may be a name of the public name system, written without the dot at its end. A parser writes every IPv4
 * address with dots and digits.
 */
function isPublicName(hostname: string): boolean {
  return /^[a-z0-9.-]+$/.test(hostname) && hostname.includes('.') && !/\.\d*$/.test(hostname);
}

/** Whether one of the hosts has this name, at any port: cookies ignore ports. */
function isNameOf(hosts: ReadonlySet<string>, hostname: string): boolean {
  return [...hosts].some((host) => host === hostname || host.startsWith(`${hostname}:`));
}

/** Whether a parser changes nothing except the slash of an empty path, so that all parsers read the same host. */
function isWrittenSo(text: string, { href }: URL): boolean {
  return href === text || href === `${text}/`;
}
