import type { httpBatchLink } from '@trpc/client';
import type { ClientOptions } from './client-options.js';
import type { TokenStore } from './token-store.js';

/** The part of `fetch` that the links use; a page's own fetch is called as a page calls it, without `this`. */
type FetchOfLinks = NonNullable<Parameters<typeof httpBatchLink>[0]['fetch']>;

/** The calls one batch may hold. */
const BATCH_LIMIT = 20;

/** Calls made in the same moment travel as one batch, with the token and account of this client. */
export function batchOptions(
  options: ClientOptions,
  store: TokenStore,
  accountId: number | null,
): { url: string; maxItems: number; headers: () => Record<string, string>; fetch: FetchOfLinks } {
  return {
    url: `${options.url.replace(/\/+$/, '')}/trpc`,
    maxItems: BATCH_LIMIT,
    headers() {
      const token = store.get();
      return {
        ...(token === null ? {} : { [options.tokenHeader ?? 'Token']: token }),
        ...(accountId === null ? {} : { Accountid: String(accountId) }),
        ...(options.application === undefined ? {} : { Apptype: base64(options.application) }),
      };
    },
    fetch: (input: Parameters<typeof fetch>[0], init) =>
      (options.fetch ?? globalThis.fetch)(input, definedInit(init)),
  };
}

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** `fetch` takes null for an absent signal where the links say undefined. */
function definedInit(init: Parameters<FetchOfLinks>[1]): RequestInit {
  return { ...init, signal: init?.signal ?? null };
}
