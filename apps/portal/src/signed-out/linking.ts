const KEY = 'gatehouse.linking';

/** Remembers in this tab that a provider is asked in order to connect it, and not in order to sign in. */
export function keepLinking(): void {
  sessionStorage.setItem(KEY, '1');
}

/** Whether one was, told once. */
export function takeLinking(): boolean {
  const isLinking = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return isLinking;
}
