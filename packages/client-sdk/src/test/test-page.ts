import type { PageStorage, PageWindow } from '../page-window.js';

/** A page without a browser. */
export interface TestPage extends PageWindow {
  /** As if the browser came to a URL. */
  open(url: string): void;
}

export function createTestPage(): TestPage {
  let href = 'http://front.test/';
  const open = (url: string) => {
    href = new URL(url, href).href;
  };
  const storage = (): PageStorage => {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  };
  return {
    open,
    location: {
      get href() {
        return href;
      },
      assign: open,
    },
    history: { state: null, replaceState: (_state, _unused, url) => open(url) },
    localStorage: storage(),
    sessionStorage: storage(),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
}
