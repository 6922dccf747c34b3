import { describe, expect, it } from 'vitest';
import { type PageStorage, writableStorage } from './page-window.js';
import { localStore, memoryStore, tabStore } from './token-stores.js';

describe('a store', () => {
  it('in memory keeps its own token', () => {
    const stores = [memoryStore(), memoryStore()];
    stores.forEach((store, index) => {
      store.set(`token ${index}`);
    });
    expect(stores.map((store) => store.get())).toEqual(['token 0', 'token 1']);
    stores[1]?.set(null);
    expect(stores.map((store) => store.get())).toEqual(['token 0', null]);
  });

  it.each([localStore, tabStore])('of a browser keeps nothing on a server: %o', (create) => {
    const store = create();
    expect(() => {
      store.set('token');
    }).toThrow('On a server a client keeps no session');
    store.set(null);
    expect(store.get()).toBeNull();
  });

  it('works without a storage that the browser forbids to read or to write', () => {
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
