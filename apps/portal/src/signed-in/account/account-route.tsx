import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { rootRoute } from '../root-route.js';
import { inLanguage } from '../screen/in-language.js';
import { AccountFrame } from './account-frame.js';

const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/a/$account',
  component: inLanguage(AccountFrame),
});

const indexRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router takes a redirection as what is thrown.
    throw redirect({ to: '/a/$account/team', params, replace: true });
  },
});

const teamRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/team',
  component: lazyRouteComponent(() => import('./team/team.js'), 'TeamScreen'),
});

/** The screens of an account, which its number in the path names: two tabs act in two accounts. */
export const accountRoute = frameRoute.addChildren([indexRoute, teamRoute]);
