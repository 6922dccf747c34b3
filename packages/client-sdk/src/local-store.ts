import { memoryStore } from './memory-store.js';
import { currentPage, type StorageChange, writableStorage } from './page-window.js';
import type { TokenStore } from './token-store.js';

/**
 * Keeps the token in `localStorage`: all tabs share one session, it outlives the browser, and signing out in
 * one tab signs out all. Uses memory if there is no such storage, as on a server.
 */
export function localStore(key = 'gatehouse.token'): TokenStore {
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
