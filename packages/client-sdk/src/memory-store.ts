import type { TokenStore } from './token-store.js';

/** Keeps the token for as long as the client lives. */
export function memoryStore(initial: string | null = null): TokenStore {
  let token = initial;
  return {
    get: () => token,
    set(next) {
      token = next;
    },
  };
}
