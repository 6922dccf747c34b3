import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.js';

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you',
  component: lazyRouteComponent(() => import('./profile/profile.js'), 'ProfileScreen'),
});

const partnersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/partners',
  component: lazyRouteComponent(() => import('./partners/partners.js'), 'PartnersScreen'),
});

const dataRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/data',
  component: lazyRouteComponent(() => import('./data/data.js'), 'DataScreen'),
});

const securityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/security',
  component: lazyRouteComponent(() => import('./security/security.js'), 'SecurityScreen'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/sessions',
  component: lazyRouteComponent(() => import('./sessions/sessions.js'), 'SessionsScreen'),
});

const connectionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/connections',
  component: lazyRouteComponent(() => import('./connections/connections.js'), 'ConnectionsScreen'),
});

/** The screens in which people look after themselves. */
export const youRoutes = [
  profileRoute,
  securityRoute,
  sessionsRoute,
  connectionsRoute,
  partnersRoute,
  dataRoute,
] as const;
