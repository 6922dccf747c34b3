import type { LimitStore } from './limit-store.js';

/** A store whose code is loaded at the first use, because most deployments never use it. */
export function limitsWhenLoaded(loading: Promise<LimitStore>): LimitStore {
  let loaded: LimitStore | undefined;
  void loading.then((store) => {
    loaded = store;
  });
  return {
    consume: async (limit, tx) => (await loading).consume(limit, tx),
    add: async (counter, points) => (await loading).add(counter, points),
    refund: async (limits, tx) => (await loading).refund(limits, tx),
    together: async (db, body) => (await loading).together(db, body),
    usedUpFor: async (limit) => (await loading).usedUpFor(limit),
    remove: async (prefix, tx) => (await loading).remove(prefix, tx),
    isShared: () => loaded?.isShared() ?? false,
    close: async () => (await loading).close(),
  };
}
