const KEY = 'gatehouse.linking';

const SEARCH_KEY = 'gatehouse.search';

/** Remembers in this tab that the person goes to a provider to connect it, not to sign in. */
export function keepLinking(): void {
  sessionStorage.setItem(KEY, '1');
}

/** Remembers in this tab where the page leads on to while the person is at a provider. */
export function keepSearch(): void {
  sessionStorage.setItem(SEARCH_KEY, location.search);
}

/** The query that was remembered; empty without one. */
export function keptSearch(): string {
  return sessionStorage.getItem(SEARCH_KEY) ?? '';
}

/** Whether one was remembered; true once. */
export function takeLinking(): boolean {
  const isLinking = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return isLinking;
}
