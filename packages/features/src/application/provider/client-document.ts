import { isRedirectUri, isVisible, parseUrl, storableText } from '@gatehouse/auth-core';
import { type ApplicationRow, findClient, isClientHostBlocked } from '@gatehouse/db/queries/applications';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { AccessDirectory } from '../../core/access/access-directory.js';
import type { Context, Services } from '../../core/context.js';
import { admitsHost, clientHost, clientHostName } from '../../core/guard/client-host.js';
import { applicationScopes } from '../application-scopes.js';
import { keySet, readClientKeys } from '../client-keys.js';
import { redirectUriRules } from '../redirect-uri-rules.js';

/** The longest address of a document. It is part of the names of limits. */
const MAX_URL_LENGTH = 200;

const MAX_BYTES = 5 * 1024;
const WHOLE_MS = 3_000;

/** The caching headers of a document are followed within these bounds. */
const KEPT_AT_LEAST_MS = 5 * 60_000;
const KEPT_AT_MOST_MS = 86_400_000;

const KNOWN_DOCUMENTS = 500;

/** The maximum number of calls that an address may cause per minute. */
const CALLS = 60;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

/** These reverse the text around a name, so that a page would say something else. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;

/** What an application says about itself (draft-ietf-oauth-client-id-metadata-document, RFC 7591). What is not here is ignored. */
const metadata = z.object({
  client_id: z.string(),
  client_name: storableText(80).refine((name) => isVisible(name) && !TURNING.test(name)),
  redirect_uris: z.array(z.string()).min(1),
  // It is public, so a secret in it proves nothing.
  token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']).optional(),
  jwks: keySet.optional(),
  jwks_uri: z.string().optional(),
  client_secret: z.never().optional(),
  client_secret_expires_at: z.never().optional(),
});

/** An application as its document describes it. */
export interface ClientDocument {
  readonly name: string;
  /** Those that an application may have. */
  readonly redirectUris: readonly string[];
  /** The keys with which it proves its identity; both are null if it does not. */
  readonly keys: Pick<ApplicationRow, 'jwks' | 'jwksUri'>;
}

/** The document, or what is wrong with it, in words for its author. */
export type ClientDocumentAnswer = { readonly document: ClientDocument } | { readonly problem: string };

interface Kept {
  readonly document: ClientDocument;
  readonly untilMs: number;
}

interface Documents {
  readonly kept: LRUCache<string, Kept>;
  readonly reading: Map<string, Promise<ClientDocumentAnswer>>;
}

const opened = new WeakMap<AccessDirectory, Documents>();

function documentsOf({ access }: Pick<Services, 'access'>): Documents {
  const known = opened.get(access);
  if (known !== undefined) return known;
  const made = { kept: new LRUCache<string, Kept>({ max: KNOWN_DOCUMENTS }), reading: new Map() };
  opened.set(access, made);
  return made;
}

type DocumentServices = Pick<Services, 'access' | 'config' | 'db' | 'limits' | 'now' | 'outbound'>;

/** Whether a client id is the address of a document. */
export function isDocumentUrl({ NODE_ENV }: Pick<Services['config'], 'NODE_ENV'>, clientId: string): boolean {
  if (clientId.length > MAX_URL_LENGTH || /[#?*\\]|(?:\.|%2e){2}/i.test(clientId)) return false;
  const url = parseUrl(clientId);
  const isSpoken = url?.protocol === 'https:' || (url?.protocol === 'http:' && NODE_ENV !== 'production');
  // A host that nobody can name could not be blocked: one that ends in a dot is the same host under another name.
  const isNamed = isSpoken && clientHostName.safeParse(url.hostname).success;
  return isNamed && url.href === clientId && url.username === '' && url.password === '';
}

/**
 * The document at a client id, no older than its headers allow. Requests that need the same one at the same time wait for one
 * call. A failure is not kept, so each address may cause 60 calls a minute; an address above its limit does not affect the calls
 * of another.
 */
export async function findClientDocument(
  services: DocumentServices,
  { clientId, address }: { readonly clientId: string; readonly address: string },
): Promise<ClientDocumentAnswer> {
  const { config, db, limits, now } = services;
  const host = isDocumentUrl(config, clientId) ? clientHost(clientId) : undefined;
  if (host === undefined) return { problem: 'the client id is not the address of a client document' };
  if (!admitsHost(config.OAUTH_CLIENT_DOCUMENTS, host) || (await isClientHostBlocked(db, host)))
    return { problem: 'client documents of this host are not accepted' };
  const { kept, reading } = documentsOf(services);
  const known = () => {
    const document = kept.get(clientId);
    return document !== undefined && now() < document.untilMs ? document : reading.get(clientId);
  };
  const before = known();
  if (before !== undefined) return before;
  const calls = { key: `client-documents:address:${networkOf(address)}`, most: CALLS, windowMs: 60_000 };
  if (!(await limits.consume(calls)).isAllowed)
    return { problem: 'too many client documents were asked for from this address in the last minute' };
  const meanwhile = known();
  if (meanwhile !== undefined) return meanwhile;
  const read = readDocument(services, clientId, kept).finally(() => reading.delete(clientId));
  reading.set(clientId, read);
  return read;
}

async function readDocument(
  { config, now, outbound }: DocumentServices,
  clientId: string,
  kept: Documents['kept'],
): Promise<ClientDocumentAnswer> {
  const answer = await outbound.get(clientId, {
    reach: 'public',
    headers: { accept: 'application/json', 'user-agent': 'Gatehouse' },
    maxBytes: MAX_BYTES + 1,
    wholeMs: WHOLE_MS,
  });
  if ('failure' in answer || answer.status !== 200) return { problem: 'the client document was not found' };
  const { body, headers } = answer;
  if (!JSON_TYPE.test(headers['content-type'] ?? ''))
    return { problem: 'the client document must have the type application/json' };
  if (body.length > MAX_BYTES) return { problem: 'the client document is longer than 5 kB' };
  const said = metadata.safeParse(parsedJson(body.toString())).data;
  if (said === undefined)
    return { problem: 'the client document must have a name and redirect URIs, and no secret' };
  if (said.client_id !== clientId) return { problem: 'the client document names another client id' };
  const rules = { ...redirectUriRules(config), isNative: true };
  const redirectUris = [...new Set(said.redirect_uris)].filter((uri) => isRedirectUri(uri, rules));
  if (redirectUris.length === 0)
    return { problem: 'the client document has no redirect URI that may be used' };
  const keys = keysOf(config, said);
  if (typeof keys === 'string') return { problem: keys };
  const document = { name: said.client_name, redirectUris, keys };
  kept.set(clientId, { document, untilMs: now() + keptForMs(headers, now()) });
  return { document };
}

/** The keys that a document names, or what is wrong with them. */
function keysOf(
  config: Services['config'],
  { token_endpoint_auth_method: method, jwks, jwks_uri: jwksUri }: z.output<typeof metadata>,
): ClientDocument['keys'] | string {
  if (method !== 'private_key_jwt') return { jwks: null, jwksUri: null };
  if ((jwks === undefined) === (jwksUri === undefined))
    return 'the client document must have either jwks or jwks_uri for private_key_jwt';
  if (jwks !== undefined) {
    const read = readClientKeys(jwks);
    return 'problem' in read ? `a key of the client document ${read.problem}` : { jwks: read, jwksUri: null };
  }
  if (jwksUri === undefined || !isRedirectUri(jwksUri, { ...redirectUriRules(config), isNative: false }))
    return 'the jwks_uri of the client document must be an https address, and not at a host of this service';
  return { jwks: null, jwksUri };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keptForMs(
  headers: { readonly 'cache-control'?: string | undefined; readonly expires?: string | undefined },
  nowMs: number,
): number {
  const [, seconds] = /(?:^|[ ,])max-age=(\d+)/i.exec(headers['cache-control'] ?? '') ?? [];
  const said = seconds === undefined ? Date.parse(headers.expires ?? '') - nowMs : Number(seconds) * 1000;
  return Math.min(KEPT_AT_MOST_MS, Math.max(KEPT_AT_LEAST_MS, Number.isNaN(said) ? 0 : said));
}

/** An application that asks a person for a consent. One that a document describes gets its row at the first consent. */
export async function findAskingApplication(
  { services, call: { address } }: Context,
  clientId: string,
): Promise<ApplicationRow | undefined> {
  if (clientHost(clientId) === undefined) return findClient(services.db, clientId);
  const answer = await findClientDocument(services, { clientId, address });
  return 'document' in answer ? toApplication(services, { clientId, ...answer.document }) : undefined;
}

/** Whether a redirect URI is one of an application that a document describes. Apps on a device listen at any port (RFC 8252, section 7.3). */
export function isRedirectOf({ redirectUris }: Pick<ClientDocument, 'redirectUris'>, uri: string): boolean {
  return redirectUris.some((each) => withoutPort(each) === withoutPort(uri));
}

const withoutPort = (uri: string) => uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+(?=[/?]|$)/, '$1');

/** Such an application as a row. */
export function toApplication(
  { now, roles }: Pick<Services, 'now' | 'roles'>,
  { clientId, name, redirectUris, keys }: ClientDocument & { readonly clientId: string },
): ApplicationRow {
  return {
    id: 0,
    clientId,
    accountId: null,
    name,
    type: 'document',
    redirectUris: [...redirectUris],
    postLogoutRedirectUris: [],
    backchannelLogoutUri: null,
    ...keys,
    scopes: [...applicationScopes(roles)],
    resources: [],
    subjectType: 'public',
    active: true,
    blocked: false,
    skipConsent: false,
    pkceExempt: false,
    machineId: null,
    createdById: 0,
    createdAtMs: now(),
  };
}
