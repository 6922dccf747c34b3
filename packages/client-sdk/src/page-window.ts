/** The part of a page's `Storage` that is used here. */
export interface PageStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The part of a page's `window` that is used here. */
export interface PageWindow {
  readonly location: { readonly href: string; assign(url: string): void };
  readonly history: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, url: string): void;
  };
  readonly localStorage: PageStorage;
  readonly sessionStorage: PageStorage;
  addEventListener(type: 'storage', listener: (event: StorageChange) => void): void;
  removeEventListener(type: 'storage', listener: (event: StorageChange) => void): void;
}

/** The same for events whose content no listener reads. */
interface PageEvents {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** The content of a `storage` event: the key another tab changed, null for all keys. */
export interface StorageChange {
  readonly key: string | null;
}

const PROBE = 'gatehouse.probe';

/** The window of this page; undefined on a server. */
export function currentPage(): PageWindow | undefined {
  return 'document' in globalThis ? asPage(Reflect.get(globalThis, 'window')) : undefined;
}

const RECOVERY_MS = 60_000;

/**
 * Calls the listener when a failed call may work again: the browser has a network, the person leaves the page or looks at it
 * again, or a minute has passed. Returns a function that stops it. Does nothing on a server.
 */
export function watchRecovery(listener: () => void): () => void {
  const page = currentPage() as PageEvents | undefined;
  if (page === undefined) return () => undefined;
  const types = ['online', 'visibilitychange'];
  const timer = setInterval(listener, RECOVERY_MS);
  for (const type of types) page.addEventListener(type, listener);
  return () => {
    clearInterval(timer);
    for (const type of types) page.removeEventListener(type, listener);
  };
}

/**
 * Whether this is a server: neither a page nor a worker of a browser. Runtimes of servers have some globals of both:
 * Cloudflare Workers have `WorkerGlobalScope` and had `importScripts`, Deno has `location`, others a `window`.
 */
export function isServer(scope: object = globalThis): boolean {
  return !('document' in scope || ('importScripts' in scope && 'location' in scope));
}

/** Pages, which have a `document`, are their own `window`. */
function asPage(window: unknown): PageWindow {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- browsers define every member of PageWindow on `window`
  return window as PageWindow;
}

/** A writable storage. Undefined on a server, and if the browser forbids it. */
export function writableStorage(
  kind: 'localStorage' | 'sessionStorage',
  page = currentPage(),
): PageStorage | undefined {
  try {
    const storage = page?.[kind];
    storage?.setItem(PROBE, PROBE);
    storage?.removeItem(PROBE);
    return storage;
  } catch {
    return undefined;
  }
}

/** The part of the Web Locks API that is used here. */
interface PageLocks {
  request(
    name: string,
    options: { ifAvailable: true },
    work: (lock: object | null) => Promise<void>,
  ): Promise<void>;
}

/** The locks that the tabs of an origin share; undefined where there are none. */
export function pageLocks(): PageLocks | undefined {
  const navigator: unknown = Reflect.get(globalThis, 'navigator');
  if (typeof navigator !== 'object' || navigator === null || !('locks' in navigator)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Web Locks API defines what `navigator.locks` is.
  return navigator.locks as PageLocks | undefined;
}
