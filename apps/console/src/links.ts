import { herePath, nextPathBelow, withNext } from '@gatehouse/ui/session/next-path';

/** Paths outside the router: documents, and where other documents begin. */
export const PATHS = {
  home: '/console/',
  signIn: '/console/sign-in',
  /** Where staff add a second factor. */
  enrol: '/console/enrol',
} as const;

/** In the address of the enrolment: the session was opened with the code of a recovery. */
export const IS_RECOVERED = 'recovered';

/** Where staff add a second factor, and come back from to a path of the console. */
export const enrolPath = (next: string = PATHS.home): string =>
  isEnrolment(next) ? next : withNext(PATHS.enrol, next);

/** Whether a path of the console is where staff add a second factor. */
export const isEnrolment = (path: string): boolean => path.startsWith(PATHS.enrol);

/** Where to go after signing in: a path of the console that the address names, else its home. */
export const nextPath = (): string => nextPathBelow(PATHS.home);

/** Goes to sign in, and comes back to where this is. */
export function askToSignIn(): void {
  location.replace(withNext(PATHS.signIn, herePath()));
}
