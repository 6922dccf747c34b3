import type { TokenStore } from './token-store.js';

/** What a server is told that would keep one visitor's session for all. */
export const NO_STORE_MESSAGE =
  'On a server a client keeps no session, because it would be that of everybody: use createServerClient or a memoryStore';

/** What the stores of browsers are on a server: it keeps nothing. */
export const noStore: TokenStore = {
  get: () => null,
  set(token) {
    if (token !== null) throw new Error(NO_STORE_MESSAGE);
  },
};
