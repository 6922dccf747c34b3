import type { httpBatchLink } from '@trpc/client';
import type { ClientOptions } from './client-options.js';

/** The part of `fetch` the links use. A page's `fetch` is called without `this`, as in a page. */
type FetchOfLinks = NonNullable<Parameters<typeof httpBatchLink>[0]['fetch']>;

/** The credentials of a batch. */
export interface Caller {
  readonly accountId: number | null;
  readonly token: string | null;
  readonly bearer: string | undefined;
}

/** The most calls in one batch. */
const BATCH_LIMIT = 20;

/** A length that common proxies accept, with space for the rest of the request head. */
const MAX_URL_LENGTH = 6000;

/** How the calls of one caller are sent, to a `url` without a trailing slash. */
export function batchOptions(
  options: ClientOptions,
  { accountId, token, bearer }: Caller,
  device: string | undefined,
  onAnswer: (response: Response) => void,
): {
  url: string;
  maxItems: number;
  maxURLLength: number;
  headers: Record<string, string>;
  fetch: FetchOfLinks;
} {
  // Without one, as in Jest's jsdom, this throws a ReferenceError.
  const send = options.fetch ?? fetch;
  const credentials: RequestInit = options.session === 'cookie' ? { credentials: 'include' } : {};
  return {
    url: `${options.url}/trpc`,
    maxItems: BATCH_LIMIT,
    maxURLLength: MAX_URL_LENGTH,
    headers: {
      ...(token === null ? {} : { [options.tokenHeader ?? 'Token']: token }),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(options.session === 'cookie' ? { 'X-Gatehouse-Client': 'cookie' } : {}),
      ...(device === undefined ? {} : { 'X-Device-Id': device }),
      ...(accountId === null ? {} : { Accountid: String(accountId) }),
      ...(options.application === undefined ? {} : { Apptype: base64(options.application) }),
    },
    fetch: async (input: Parameters<typeof fetch>[0], init) => {
      const response = answered(await send(input, { ...definedInit(init), ...credentials }));
      onAnswer(response);
      return response;
    },
  };
}

/** A proxy that answers instead of the service does not send JSON. */
function answered(response: Response): Response {
  const isOfService = response.headers.get('content-type')?.includes('json') === true;
  if (response.status < 502 || isOfService) return response;
  throw new TypeError(`The service could not be reached: a gateway answered ${response.status}`);
}

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** `fetch` takes null for an absent signal; the links use undefined. */
function definedInit(init: Parameters<FetchOfLinks>[1]): RequestInit {
  return { ...init, signal: init?.signal ?? null };
}
