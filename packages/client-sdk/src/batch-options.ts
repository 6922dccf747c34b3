import type { httpBatchLink } from '@trpc/client';
import type { ClientOptions } from './client-options.js';

/** The part of `fetch` that the links use; a page's own fetch is called as a page calls it, without `this`. */
type FetchOfLinks = NonNullable<Parameters<typeof httpBatchLink>[0]['fetch']>;

/** As whom a batch is sent. */
export interface Caller {
  readonly accountId: number | null;
  readonly token: string | null;
  readonly bearer: string | undefined;
}

/** The calls one batch may hold. */
const BATCH_LIMIT = 20;

/** What proxies commonly let through, with room for the rest of the head. */
const LONGEST_URL = 6000;

/** How the calls of one caller travel. */
export function batchOptions(
  options: ClientOptions,
  { accountId, token, bearer }: Caller,
): {
  url: string;
  maxItems: number;
  maxURLLength: number;
  headers: Record<string, string>;
  fetch: FetchOfLinks;
} {
  const send = options.fetch ?? globalThis.fetch;
  return {
    url: `${options.url.replace(/\/+$/, '')}/trpc`,
    maxItems: BATCH_LIMIT,
    maxURLLength: LONGEST_URL,
    headers: {
      ...(token === null ? {} : { [options.tokenHeader ?? 'Token']: token }),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(accountId === null ? {} : { Accountid: String(accountId) }),
      ...(options.application === undefined ? {} : { Apptype: base64(options.application) }),
    },
    fetch: async (input: Parameters<typeof fetch>[0], init) => answered(await send(input, definedInit(init))),
  };
}

/** Something between here and the service that answers for it speaks no JSON. */
function answered(response: Response): Response {
  const isOfService = response.headers.get('content-type')?.includes('json') === true;
  if (response.status < 502 || isOfService) return response;
  throw new TypeError(`The service could not be reached: a gateway answered ${response.status}`);
}

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** `fetch` takes null for an absent signal where the links say undefined. */
function definedInit(init: Parameters<FetchOfLinks>[1]): RequestInit {
  return { ...init, signal: init?.signal ?? null };
}
