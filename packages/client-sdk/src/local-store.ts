import { memoryStore } from './memory-store.js';
import { noStore } from './no-store.js';
import { currentPage, isServer, type StorageChange, writableStorage } from './page-window.js';
import type { TokenStore } from './token-store.js';

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
