const KEY = 'gatehouse.back';

/** Keeps the page of the console that staff came from, in this tab. Without storage they end at the portal's own sign-in. */
export function keepWayBack(back: string | null): void {
  try {
    if (back === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, back);
  } catch {
    // Storage can be forbidden.
  }
}

/** The page of the console that staff came from, once. */
export function takeWayBack(): string | undefined {
  try {
    const back = sessionStorage.getItem(KEY) ?? '';
    sessionStorage.removeItem(KEY);
    return /^https?:\/\//.test(back) ? back : undefined;
  } catch {
    // Storage can be forbidden.
    return undefined;
  }
}
