import { herePath, nextPathBelow, withNext } from '@gatehouse/ui/session/next-path';

/** Paths outside the router: documents, and where other documents begin. */
export const PATHS = {
  home: '/console/',
  signIn: '/console/sign-in',
  /** Where staff add a second factor. */
  enrol: '/console/enrol',
  /** Where a forgotten password is reset: on the page of the front end. */
  forgot: '/forgot',
} as const;

/** In the address of the enrollment, when a recovery code opened the session. */
const RECOVERED = 'recovered';

/** The address where staff add a second factor, with the console path to return to. */
export const enrolPath = (next: string = PATHS.home): string =>
  isEnrolment(next) ? next : withNext(PATHS.enrol, next);

/** The address where staff add a second factor after signing in with a recovery code. */
export function recoveredPath(next: string): string {
  const to = new URL(enrolPath(next), location.origin);
  to.searchParams.set(RECOVERED, '');
  return to.pathname + to.search;
}

/** Whether a recovery code opened this page's session. */
export const isRecoveredHere = (): boolean => new URLSearchParams(location.search).has(RECOVERED);

/** Whether a path of the console is where staff add a second factor. */
export const isEnrolment = (path: string): boolean => path.startsWith(PATHS.enrol);

/** Where to go after signing in: a path of the console that the address names, else its home. */
export const nextPath = (): string => nextPathBelow(PATHS.home);

/** Goes to the sign-in page, and returns here afterwards. */
export function askToSignIn(): void {
  const here = new URL(herePath(), location.origin);
  // This applied to the session that is over.
  here.searchParams.delete(RECOVERED);
  location.replace(withNext(PATHS.signIn, here.pathname + here.search));
}
