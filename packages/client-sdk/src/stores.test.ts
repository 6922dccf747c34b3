import { describe, expect, it } from 'vitest';
import { localStore } from './local-store.js';
import { memoryStore } from './memory-store.js';
import { type PageStorage, writableStorage } from './page-window.js';
import { tabStore } from './tab-store.js';

describe('a store', () => {
  it('keeps the token in memory where there is no page, each its own', () => {
    const stores = [memoryStore(), localStore(), tabStore()];
    stores.forEach((store, index) => {
      store.set(`token ${index}`);
    });
    expect(stores.map((store) => store.get())).toEqual(['token 0', 'token 1', 'token 2']);
    stores[1]?.set(null);
    expect(stores.map((store) => store.get())).toEqual(['token 0', null, 'token 2']);
  });

  it('does without a storage that the browser forbids to read or to fill', () => {
    const forbid = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    const full: PageStorage = { getItem: () => null, setItem: forbid, removeItem: () => undefined };
    const page = {
      location: { href: '', assign: forbid },
      history: { state: null, replaceState: forbid },
      addEventListener: forbid,
      removeEventListener: forbid,
      get localStorage() {
        return forbid();
      },
      sessionStorage: full,
    };
    expect(writableStorage('localStorage', page)).toBeUndefined();
    expect(writableStorage('sessionStorage', page)).toBeUndefined();
  });
});
