import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute, returnedRoute } from './account/account-route.js';
import { rootRoute } from './root-route.js';
import { LostScreen } from './screen/lost-screen.js';
import { youRoutes } from './you/you-routes.js';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home.js'), 'HomeScreen'),
});

/** Every screen of those who are signed in. Each is loaded when it is opened. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([homeRoute, accountRoute, returnedRoute, ...youRoutes]),
  basepath: '/portal',
  defaultPreload: 'intent',
  scrollRestoration: true,
  caseSensitive: false,
  defaultNotFoundComponent: LostScreen,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
