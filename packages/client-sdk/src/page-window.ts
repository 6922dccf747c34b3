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

/** What a `storage` event tells: which key another tab has changed, null for all of them. */
export interface StorageChange {
  readonly key: string | null;
}

const PROBE = 'gatehouse.probe';

/** The page this runs in; undefined on a server. */
export function currentPage(): PageWindow | undefined {
  return 'window' in globalThis ? asPage(Reflect.get(globalThis, 'window')) : undefined;
}

/** Whatever is called `window` is a page's: nothing else defines it. */
function asPage(window: unknown): PageWindow {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- browsers define every member of PageWindow on `window`
  return window as PageWindow;
}

/** A storage that can be written to; undefined on a server, and where the browser forbids it. */
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
