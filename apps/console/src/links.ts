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

/** In the address of the enrolment, where the code of a recovery opened the session. */
const RECOVERED = 'recovered';

/** Where staff add a second factor, and come back from to a path of the console. */
export const enrolPath = (next: string = PATHS.home): string =>
  isEnrolment(next) ? next : withNext(PATHS.enrol, next);

/** Where staff add a second factor after the code of a recovery. */
export function recoveredPath(next: string): string {
  const to = new URL(enrolPath(next), location.origin);
  to.searchParams.set(RECOVERED, '');
  return to.pathname + to.search;
}

/** Whether the code of a recovery opened the session of this page. */
export const isRecoveredHere = (): boolean => new URLSearchParams(location.search).has(RECOVERED);

/** Whether a path of the console is where staff add a second factor. */
export const isEnrolment = (path: string): boolean => path.startsWith(PATHS.enrol);

/** Where to go after signing in: a path of the console that the address names, else its home. */
export const nextPath = (): string => nextPathBelow(PATHS.home);

/** Goes to sign in, and comes back to where this is. */
export function askToSignIn(): void {
  const here = new URL(herePath(), location.origin);
  // This applied to the session that is over.
  here.searchParams.delete(RECOVERED);
  location.replace(withNext(PATHS.signIn, here.pathname + here.search));
}
