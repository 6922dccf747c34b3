/** The path that the address wants to be led to, if it is below another; else that one. */
export function nextPathBelow(home: string, search: string = location.search): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  const address = URL.canParse(next, location.origin) ? new URL(next, location.origin) : undefined;
  const isOurs = address?.origin === location.origin && address.pathname.startsWith(home);
  return isOurs ? address.pathname + address.search : home;
}

/** A path that leads on to another. */
export function withNext(path: string, next: string): string {
  return `${path}?${new URLSearchParams({ next }).toString()}`;
}

/** Where this is, as a path to come back to. */
export const herePath = (): string => location.pathname + location.search;
