const KEY = 'gatehouse.signed-in';

/** Remembers for the other documents of this browser whether a session was seen here. */
export function recordSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(KEY, 'true');
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage, the page does not say who is signed in.
  }
}

/** Whether it is worth asking who is signed in. */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
