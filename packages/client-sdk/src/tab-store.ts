import { memoryStore } from './memory-store.js';
import { noStore } from './no-store.js';
import { isServer, writableStorage } from './page-window.js';
import type { TokenStore } from './token-store.js';

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
