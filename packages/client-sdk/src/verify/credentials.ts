import { type CookieNames, cookieIn } from '../server/cookie-names.js';
import { isForeignRequest } from '../server/request-cookies.js';
import type { AnyHeaders, AnyRequest } from './verified.js';

/** The credentials of a request, as headers for the service. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the request may change something. */
  readonly isChange: boolean;
}

export interface CredentialNames {
  /** The header of session tokens. */
  readonly tokenHeader: string;
  readonly cookies: CookieNames;
  /** Whether browsers reach this server over TLS. */
  readonly isSecure: boolean;
  /** Where pages of this site may come from, besides the address of the request. */
  readonly origins: readonly string[];
}

/** The token and the account of a request; undefined without a token. */
export function credentialsIn(request: AnyRequest, names: CredentialNames): Credentials | undefined {
  const { headers, method, url } = partsOf(request, names);
  const accountId = headers('accountid');
  const account = accountId === undefined ? {} : { accountid: accountId };
  const isChange = !/^(?:GET|HEAD|OPTIONS)$/.test(method);
  const own = [names.tokenHeader.toLowerCase(), 'authorization'].flatMap((name) => {
    const value = headers(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (own.length > 0) return { headers: { ...Object.fromEntries(own), ...account }, isChange };

  const sent = headers('cookie') ?? '';
  const cookie = (name: string) => cookieIn(sent, name) || undefined;
  const token = cookie(names.cookies.acting) ?? cookie(names.cookies.session);
  if (token === undefined || isForeign()) return undefined;
  const kept = cookie(names.cookies.account);
  const selected = kept === undefined || accountId !== undefined ? account : { accountid: kept };
  return { headers: { [names.tokenHeader.toLowerCase()]: token, ...selected }, isChange };

  /** A page of another site could send the cookie, but no header. */
  function isForeign(): boolean {
    const sent = { get: (name: string) => headers(name) ?? null };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `isForeignRequest` only gets headers
    return isForeignRequest({ method, url, headers: sent as Headers }, names);
  }
}

interface Parts {
  readonly headers: (name: string) => string | undefined;
  readonly method: string;
  readonly url: string;
}

/** `Headers` do not say whether something changes, so they are treated as a change. */
function partsOf(request: AnyRequest, { isSecure }: CredentialNames): Parts {
  const { headers: sent, method = 'POST', url = '/' } = isHeaders(request) ? { headers: request } : request;
  const headers = reader(sent);
  // Node has only the path, and does not know what a proxy in front of it speaks.
  const origin = `${isSecure ? 'https' : 'http'}://${headers('host') ?? '-'}`;
  return { headers, method, url: URL.canParse(url) ? url : origin };
}

function isHeaders(value: object): value is Headers {
  return 'get' in value && typeof value.get === 'function' && !('headers' in value);
}

function reader(headers: AnyHeaders): Parts['headers'] {
  if (isHeaders(headers)) return (name) => headers.get(name) ?? undefined;
  return (name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  };
}
