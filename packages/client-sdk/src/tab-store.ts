import { memoryStore } from './memory-store.js';
import { writableStorage } from './page-window.js';
import type { TokenStore } from './token-store.js';

/**
 * Keeps the token in `sessionStorage`: each tab has a session of its own, which outlives a reload and ends with the
 * tab. Memory where there is none, as on a server.
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
