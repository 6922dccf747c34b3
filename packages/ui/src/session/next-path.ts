/** The path that the address asks to be led to, if it is below another; else that other one. */
export function nextPathBelow(home: string, search: string = location.search): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  const address = URL.canParse(next, location.origin) ? new URL(next, location.origin) : undefined;
  const isOurs = address?.origin === location.origin && address.pathname.startsWith(home);
  return isOurs ? address.pathname + address.search : home;
}

/** A whole address, without characters that browsers read differently from what they look like: blanks, controls, backslashes. */
const WHOLE_ADDRESS = /^https?:\/\/[^\s\\\p{Cc}\p{Cf}]+$/iu;

/** The address that a page was asked to return to, if it is at one of the origins and names no user; else undefined. */
export function returnAddress(next: string | null, origins: readonly string[]): string | undefined {
  if (next === null || !WHOLE_ADDRESS.test(next) || !URL.canParse(next)) return undefined;
  const { origin, username, password, href } = new URL(next);
  return origins.includes(origin) && username === '' && password === '' ? href : undefined;
}

/** A path that continues to another. */
export function withNext(path: string, next: string): string {
  return `${path}?${new URLSearchParams({ next }).toString()}`;
}

/** The path of this page, to return to later. */
export const herePath = (): string => location.pathname + location.search;
