import { memoryStore } from './memory-store.js';
import { writableStorage } from './page-window.js';
import type { TokenStore } from './token-store.js';

/**
 * Keeps the token in `sessionStorage`: each tab has its own session, which survives a reload and ends with
 * the tab. Uses memory if there is no such storage, as on a server.
 */
export function tabStore(key = 'gatehouse.token'): TokenStore {
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
