import { nextPathBelow, withNext } from '@gatehouse/ui/session/next-path';

/** The paths of the screens. */
export const SCREENS = {
  home: '/portal/',
  signIn: '/portal/sign-in',
  register: '/portal/register',
  forgot: '/portal/forgot',
  reset: '/portal/reset',
  confirm: '/portal/confirm',
  social: '/portal/social',
  join: '/portal/join',
  stepUp: '/portal/step-up',
  code: '/portal/code',
  mail: '/portal/mail',
  help: '/portal/help',
  impersonate: '/portal/impersonate',
  recovery: '/portal/recovery',
  profile: '/portal/you',
  security: '/portal/you/security',
  connections: '/portal/you/connections',
  restore: '/portal/restore',
} as const;

/** Where to go after signing in: a path of the portal that the address names, else its home. */
export const nextScreen = (): string => nextPathBelow(SCREENS.home);

/** A screen that leads on to where this one would. */
export function keepingNext(screen: string): string {
  const next = new URLSearchParams(location.search).get('next');
  return next === null ? screen : withNext(screen, next);
}

/** The screen to sign in, which leads to a path of the portal afterwards. */
export function signInAndReturn(next: string): string {
  return next === SCREENS.home ? SCREENS.signIn : withNext(SCREENS.signIn, next);
}
