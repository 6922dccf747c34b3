/** Where a client keeps the session token between calls: a page's storage, a cookie jar, or memory. */
export interface TokenStore {
  get(): string | null;
  set(token: string | null): void;
}

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
