const KEY = 'gatehouse.last-method';

/** Remembers for this browser how somebody signed in last; undefined for a method that the sign-in page cannot mark. */
export function recordMethod(method: string | undefined): void {
  try {
    if (method === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, method);
  } catch {
    // Without storage no method is marked.
  }
}

/** How somebody signed in last in this browser; undefined if nobody did. */
export function lastMethod(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
