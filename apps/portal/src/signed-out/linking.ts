const KEY = 'gatehouse.linking';

/** Remembers in this tab that the person goes to a provider to connect it, not to sign in. */
export function keepLinking(): void {
  sessionStorage.setItem(KEY, '1');
}

/** Whether one was remembered; true once. */
export function takeLinking(): boolean {
  const isLinking = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return isLinking;
}
