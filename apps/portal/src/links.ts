import { nextPathBelow, returnAddress, withNext } from '@gatehouse/ui/session/next-path';
import { knownSettings } from './signed-out/settings.js';

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

/** Whether a path is a page that lets an application or a device in. */
function isInteraction(next: string | null): next is string {
  return next !== null && /^\/(?:interaction\/[\w-]+|device(?:\?user_code=[A-Z]{8})?)$/.test(next);
}

/** The page of an application or a device that led here, if the address of this page names one. */
export function interactionBefore(search: string = location.search): string | undefined {
  const next = new URLSearchParams(search).get('next');
  return isInteraction(next) ? next : undefined;
}

/**
 * Where to go after signing in: a path of the portal, the page of an application, or an address of the product, that the address of
 * the page names; else the portal's home.
 */
export function nextScreen(search: string = location.search): string {
  const next = new URLSearchParams(search).get('next');
  return (
    interactionBefore(search) ??
    returnAddress(next, knownSettings().returnOrigins) ??
    nextPathBelow(SCREENS.home, search)
  );
}

/** A screen that continues to the same page as this one. */
export function keepingNext(screen: string, search: string = location.search): string {
  const next = new URLSearchParams(search).get('next');
  return next === null ? screen : withNext(screen, next);
}

/** The screen to sign in, which leads to a path of the portal afterwards. */
export function signInAndReturn(next: string): string {
  return next === SCREENS.home ? SCREENS.signIn : withNext(SCREENS.signIn, next);
}
