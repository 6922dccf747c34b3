import { currentPage, isServer, type StorageChange, writableStorage } from './page-window.js';

/** The store of the session token between calls: memory, a browser's storage, or your own. */
export interface TokenStore {
  get(): string | null;
  set(token: string | null): void;
  /** Reports changes made elsewhere, such as in another tab. Returns a function that stops it. */
  subscribe?(listener: () => void): () => void;
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

/** The error for a server that would keep one visitor's session for all. */
export const NO_STORE_MESSAGE =
  'On a server a client keeps no session, because it would be that of everybody: use createServerClient or a memoryStore';

/** A browser's store on a server: it keeps nothing. */
export const noStore: TokenStore = {
  get: () => null,
  set(token) {
    if (token !== null) throw new Error(NO_STORE_MESSAGE);
  },
};

/**
 * Keeps the token in `localStorage`: all tabs share one session, it outlives the browser, and signing out in
 * one tab signs out all. Uses memory if the browser has no such storage. On a server it keeps nothing, and signing in throws.
 */
export function localStore(key = 'gatehouse.token'): TokenStore {
  if (isServer()) return noStore;
  const page = currentPage();
  const storage = writableStorage('localStorage', page);
  if (page === undefined || storage === undefined) return memoryStore();
  return {
    get: () => storage.getItem(key),
    set(token) {
      if (token === null) storage.removeItem(key);
      else storage.setItem(key, token);
    },
    subscribe(listener) {
      const onStorage = (change: StorageChange) => {
        if (change.key === key || change.key === null) listener();
      };
      page.addEventListener('storage', onStorage);
      return () => {
        page.removeEventListener('storage', onStorage);
      };
    },
  };
}

/**
 * Keeps the token in `sessionStorage`: each tab has its own session, which survives a reload and ends with
 * the tab. Uses memory if the browser has no such storage. On a server it keeps nothing, and signing in throws.
 */
export function tabStore(key = 'gatehouse.token'): TokenStore {
  if (isServer()) return noStore;
  const storage = writableStorage('sessionStorage');
  if (storage === undefined) return memoryStore();
  return {
    get: () => storage.getItem(key),
    set(token) {
      if (token === null) storage.removeItem(key);
      else storage.setItem(key, token);
    },
  };
}
