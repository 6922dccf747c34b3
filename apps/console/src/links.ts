import { nextPathBelow, withNext } from '@gatehouse/ui/session/next-path';

/** Paths outside the router: documents, and where other documents begin. */
export const PATHS = {
  home: '/console/',
  signIn: '/console/sign-in',
  /** A page of the service, where staff add their first second factor. */
  enrol: '/enrol',
} as const;

/** Where staff add a second factor, and come back from to a path of the console. */
export const enrolPath = (next: string = PATHS.home): string => withNext(PATHS.enrol, next);

/** Where to go after signing in: a path of the console that the address names, else its home. */
export const nextPath = (): string => nextPathBelow(PATHS.home);
