/** Paths outside the router: documents, and where other documents begin. */
export const PATHS = {
  home: '/console/',
  signIn: '/console/sign-in',
  /** A page of the service, where staff add their first second factor. */
  enrol: '/enrol',
} as const;

/** Where staff add a second factor, and come back from to a path of the console. */
export function enrolPath(next: string = PATHS.home): string {
  return `${PATHS.enrol}?${new URLSearchParams({ next }).toString()}`;
}

/** Where to go after signing in: a path of the console that the address names, else its home. */
export function nextPath(search: string = location.search): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  const address = URL.canParse(next, location.origin) ? new URL(next, location.origin) : undefined;
  const isOurs = address?.origin === location.origin && address.pathname.startsWith(PATHS.home);
  return isOurs ? address.pathname + address.search : PATHS.home;
}
