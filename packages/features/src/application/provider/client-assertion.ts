import type * as library from 'oidc-provider';
import type { default as OidcProvider } from 'oidc-provider';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import { isPrivateKey, publishedKeySet, readClientKey } from '../client-keys.js';
import { failuresOf } from './limit-provider.js';

/** An assertion is stored until it expires, so that nobody uses it again. */
const MAX_LIFE_SECONDS = 600;

/** The library fails on claims nested more deeply than fits into this length. */
const MAX_LENGTH = 8_192;

/** How long the keys at a URL are valid after they were fetched. */
const KEPT_SECONDS = 300;

const MAX_BYTES = 16 * 1024;

const WHOLE_MS = 2_500;

/** Refuses an assertion of an application (RFC 7523, section 3) that lives for more than ten minutes. */
export function refuseLastingAssertion(
  { now }: Pick<Services, 'now'>,
  { exp }: { readonly exp?: unknown },
  { errors }: Pick<typeof library, 'errors'>,
): void {
  if (Number(exp) - now() / 1000 <= MAX_LIFE_SECONDS) return;
  throw new errors.InvalidClientAuth('an assertion lives for 10 minutes at most');
}

/**
 * The keys at a URL of an application that it can sign with, as a response that the library reads.
 * @throws {Error} if they cannot be fetched, or one of them is private
 */
export async function readClientKeySet(
  { outbound }: Pick<Services, 'outbound'>,
  url: string,
): Promise<Response> {
  const answer = await outbound.get(url, {
    reach: 'public',
    headers: { accept: 'application/jwk-set+json, application/json', 'user-agent': 'Gatehouse' },
    maxBytes: MAX_BYTES + 1,
    wholeMs: WHOLE_MS,
  });
  if ('failure' in answer) throw new Error(`The keys of an application were not found: ${answer.failure}`);
  if (answer.status !== 200) throw new Error(`The address of the keys answers ${answer.status}`);
  if (answer.body.length > MAX_BYTES) throw new Error('The keys of an application are longer than 16 kB');
  const { keys } = publishedKeySet.parse(JSON.parse(answer.body.toString()));
  if (keys.some(isPrivateKey)) throw new Error('The address of the keys shows a private key');
  // Its caching headers could keep a removed key valid for as long as they like.
  const headers = { 'cache-control': `max-age=${KEPT_SECONDS}` };
  return Response.json({ keys: keys.flatMap((key) => readClientKey(key) ?? []) }, { headers });
}

/** The part of a client that holds its keys, which the library does not describe. */
const keyHolder = z.object({
  jwksUri: z.string(),
  asymmetricKeyStore: z.custom<{ fresh(): boolean; refresh(): Promise<void> }>(),
});

/**
 * Fetches the keys at the URL of an application again before they are used, if they are old. By itself the library would only
 * look for new ones, and accept a removed one.
 */
export function withCurrentKeys(
  provider: OidcProvider,
  { Provider, errors }: Pick<typeof library, 'Provider' | 'errors'>,
  { limits }: Pick<Services, 'limits'>,
): void {
  const { Client } = provider;
  const find = Client.find.bind(Client);
  Client.find = async (clientId) => {
    const client = await find(clientId);
    const koa = Provider.ctx;
    const sent = koa?.oidc.params?.['client_assertion'];
    if (koa === undefined || typeof sent !== 'string') return client;
    if (sent.length > MAX_LENGTH)
      throw new errors.InvalidClientAuth('an assertion has 8,192 characters at most');
    const keys = keyHolder.safeParse(client).data?.asymmetricKeyStore;
    if (keys === undefined || keys.fresh()) return client;
    // The caller is not authenticated yet, and keys that could not be fetched are fetched again for every request.
    if ((await limits.usedUpFor(failuresOf(koa))) !== undefined)
      throw new errors.InvalidClientAuth('this address failed too often to have keys read');
    await keys.refresh().catch((cause: unknown) => {
      throw new errors.InvalidClientAuth(String(cause));
    });
    return client;
  };
}
