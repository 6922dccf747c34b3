const METHOD = 'gatehouse.last-method';

const DEPARTURE = 'gatehouse.departure';

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage no method is marked.
  }
}

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers for this browser how somebody signed in last; undefined for a method that the sign-in page cannot mark. */
export const recordMethod = (method: string | undefined): void => write(METHOD, method);

/** How somebody signed in last in this browser; undefined if nobody did. */
export const lastMethod = (): string | undefined => read(METHOD);

/** Remembers for every tab to which provider somebody is sent, because they may come back in another one; undefined for a company. */
export const recordDeparture = (provider: string | undefined): void => write(DEPARTURE, provider);

/** The provider to which somebody was sent from this browser, once. */
export function takeDeparture(): string | undefined {
  const provider = read(DEPARTURE);
  recordDeparture(undefined);
  return provider;
}
