import { type LookupAddress, NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { parseUrl } from '@gatehouse/auth-core';
import ipaddr from 'ipaddr.js';

const CONNECT_MS = 3_000;

const WHOLE_MS = 10_000;

const MAX_ANSWER_BYTES = 16_384;

/** Below it are the ports of services of the operating system. */
const FIRST_FREE_PORT = 1024;

/** Where a call may go: only to public addresses, or also into the private networks that the operator allows. */
export type Reach = 'public' | 'private';

/** Why a call got no answer. The reason is the same for an unknown name and for one with a private address. */
export type OutboundFailure =
  | 'no_public_address'
  | 'connect_failed'
  | 'connect_timeout'
  | 'tls_failed'
  | 'connection_lost'
  | 'timeout';

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** At most its first 16 kB, or as much as the call reads, as sent. */
  readonly body: Buffer;
}

/** Calls addresses that people enter. It follows no redirect, keeps no cookie, and ignores the variables of proxies. */
export interface GuardedClient {
  /** Whether a URL may be called: its form, and every address that its name has now. */
  accepts(url: string, reach: Reach): Promise<boolean>;
  /** Sends one POST over its own connection, to an address that was checked for it. */
  post(
    url: string,
    call: {
      readonly reach: Reach;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** How much of the answer is read; 16 kB by default. */
      readonly maxBytes?: number;
      /** How long all of it may take; 10 s by default. */
      readonly wholeMs?: number;
    },
  ): Promise<OutboundAnswer | { readonly failure: OutboundFailure }>;
  /** Reads the beginning of a document, in the same way. */
  get(
    url: string,
    call: {
      readonly reach: Reach;
      readonly headers: Readonly<Record<string, string>>;
      /** How much is read. */
      readonly maxBytes: number;
      /** How long all of it may take. */
      readonly wholeMs: number;
    },
  ): Promise<OutboundAnswer | { readonly failure: OutboundFailure }>;
}

interface GuardedClientOptions {
  /** In production only https is spoken, and never with this machine. */
  readonly isProduction: boolean;
  /** Ranges (CIDR) for calls that reach private networks. */
  readonly privateNetworks: readonly string[];
  /** All addresses of a name. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The only IPv6 addresses that are given to hosts of the internet (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

export function createGuardedClient({
  isProduction,
  privateNetworks,
  resolve = resolveByDns,
}: GuardedClientOptions): GuardedClient {
  const networks = privateNetworks.map((range) => ipaddr.parseCIDR(range));

  function permits(address: string, reach: Reach): boolean {
    const read = ipaddr.process(address);
    const range = read.range();
    if (range === 'unicast' && (read.kind() === 'ipv4' || read.match(GLOBAL_UNICAST))) return true;
    // No range that the operator allows gives access to this machine in production, or to its links.
    if (range === 'loopback') return !isProduction;
    if (range === 'unspecified' || range === 'linkLocal') return false;
    return reach === 'private' && networks.some((each) => each[0].kind() === read.kind() && read.match(each));
  }

  /** @throws {AddressRefused} unless there is an address, and every one may be called */
  async function addressesOf(name: string, reach: Reach): Promise<LookupAddress[]> {
    const addresses = isIP(name) === 0 ? await resolve(name).catch(() => []) : [name];
    if (addresses.length === 0 || !addresses.every((address) => permits(address, reach)))
      throw new AddressRefused(name);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }

  const accepts: GuardedClient['accepts'] = async (text, reach) => {
    const url = readCallable(text, isProduction);
    if (url === undefined) return false;
    return addressesOf(hostOf(url), reach).then(
      () => true,
      () => false,
    );
  };

  async function call(text: string, reach: Reach, sent: Omit<Call, 'lookup'>): Promise<Sent> {
    const url = readCallable(text, isProduction);
    if (url === undefined) return { failure: 'no_public_address' };
    // Node does not look up an address that is written in the URL, so it is checked here.
    const isLiteral = isIP(hostOf(url)) !== 0;
    if (isLiteral && !permits(hostOf(url), reach)) return { failure: 'no_public_address' };
    const lookup: LookupFunction = (name, options, done) => {
      addressesOf(name, reach).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all === true) done(null, addresses);
          else done(null, first?.address ?? '', first?.family);
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), ''),
      );
    };
    return send(url, { ...sent, lookup });
  }

  return {
    accepts,
    post(url, { reach, headers, body, maxBytes = MAX_ANSWER_BYTES, wholeMs = WHOLE_MS }) {
      const sized = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
      const limits = { maxBytes, wholeMs };
      return call(url, reach, { method: 'POST', headers: sized, body, ...limits });
    },
    get: (url, { reach, ...rest }) => call(url, reach, { method: 'GET', body: '', ...rest }),
  };
}

/** A URL of a form that may be called: https, or http outside production, at port 443 or above 1023. Undefined for others. */
function readCallable(text: string, isProduction: boolean): URL | undefined {
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const isSpoken = url.protocol === 'https:' || (url.protocol === 'http:' && !isProduction);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const isFreePort = port === 443 || port >= FIRST_FREE_PORT;
  return isSpoken && isFreePort && url.username === '' && url.password === '' ? url : undefined;
}

/** Whether the guarded client calls a URL of this form, whatever its name is resolved to. */
export function isCallableUrl(text: string, isProduction: boolean): boolean {
  return readCallable(text, isProduction) !== undefined;
}

/** Whether these are ranges that can be compared, such as `10.20.0.0/16`. */
export function areNetworks(ranges: readonly string[]): boolean {
  return ranges.every((range) => ipaddr.isValidCIDR(range));
}

/** The host without the brackets of an IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * Asks name servers from this process. The operating system's look-up would occupy one of the few threads that hash passwords,
 * for as long as the owner of a name likes.
 */
async function resolveByDns(name: string): Promise<string[]> {
  if (/(?:^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), CONNECT_MS);
  const none = (error: unknown): string[] => {
    if (error instanceof Error && 'code' in error && (error.code === NODATA || error.code === NOTFOUND))
      return [];
    throw error;
  };
  try {
    const found = await Promise.all([
      resolver.resolve4(name).catch(none),
      resolver.resolve6(name).catch(none),
    ]);
    return found.flat();
  } finally {
    clearTimeout(timer);
  }
}

type Sent = OutboundAnswer | { readonly failure: OutboundFailure };

interface Call {
  readonly method: 'GET' | 'POST';
  readonly lookup: LookupFunction;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly maxBytes: number;
  readonly wholeMs: number;
}

function send(url: URL, { body, maxBytes, wholeMs, ...call }: Call): Promise<Sent> {
  const isSecure = url.protocol === 'https:';
  const options = {
    ...call,
    // Its own connection, so that no variable routes it through a proxy.
    agent: false,
  } as const;
  return new Promise((settle) => {
    let failure: OutboundFailure = 'connect_failed';
    const request = (isSecure ? requestSecure : requestPlain)(url, options);
    const end = (sent: Sent) => {
      clearTimeout(connecting);
      clearTimeout(whole);
      request.destroy();
      settle(sent);
    };
    const connecting = setTimeout(() => end({ failure: 'connect_timeout' }), CONNECT_MS);
    const whole = setTimeout(() => end({ failure: 'timeout' }), wholeMs);
    const isConnected = () => {
      clearTimeout(connecting);
      failure = 'connection_lost';
    };
    request.on('socket', (socket) => {
      if (isSecure) socket.once('secureConnect', isConnected);
      socket.once('connect', () => {
        if (isSecure) failure = 'tls_failed';
        else isConnected();
      });
    });
    request.on('error', (error) =>
      end({ failure: error instanceof AddressRefused ? 'no_public_address' : failure }),
    );
    request.on('response', (response) => {
      readBeginning(response, maxBytes).then(
        (read) => end({ status: response.statusCode ?? 0, headers: response.headers, body: read }),
        () => end({ failure }),
      );
    });
    request.end(body);
  });
}

async function readBeginning(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
