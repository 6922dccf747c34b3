import { deliverySearch } from '@gatehouse/ui/developers/delivery-search';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { AccountFrame, AccountIndex } from './account/account-frame.js';
import { teamSearch } from './account/team/team-search.js';
import { Frame } from './frame/frame.js';
import { LostScreen } from './screen/lost-screen.js';
import { askAhead } from './session/me.js';

const rootRoute = createRootRoute({ component: inLanguage(Frame), beforeLoad: askAhead });

const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/a/$account',
  component: inLanguage(AccountFrame),
});

const indexRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  component: inLanguage(AccountIndex),
});

const teamRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/team',
  validateSearch: teamSearch,
  component: lazyRouteComponent(() => import('./account/team/team.js'), 'TeamScreen'),
});

const billingRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/billing',
  validateSearch: ({
    returned,
    next,
  }: {
    returned?: unknown;
    next?: unknown;
  }): { returned?: true; next?: string } => ({
    ...(returned === true ? { returned } : {}),
    ...(typeof next === 'string' ? { next } : {}),
  }),
  component: lazyRouteComponent(() => import('./account/billing/billing.js'), 'BillingScreen'),
});

const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./account/settings/settings.js'), 'SettingsScreen'),
});

const enterpriseRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/directory',
  component: lazyRouteComponent(() => import('./account/enterprise/enterprise.js'), 'EnterpriseScreen'),
});

const newConnectionRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/directory/new',
  component: lazyRouteComponent(
    () => import('./account/enterprise/new-connection.js'),
    'NewConnectionScreen',
  ),
});

const connectionRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/directory/$connection',
  validateSearch: ({ test }: { test?: unknown }): { test?: number } =>
    typeof test === 'number' && Number.isSafeInteger(test) && test > 0 ? { test } : {},
  component: lazyRouteComponent(() => import('./account/enterprise/connection.js'), 'ConnectionScreen'),
});

const keysRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/developers',
  component: lazyRouteComponent(() => import('./account/developers/keys/keys.js'), 'KeysScreen'),
});

const endpointsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/developers/endpoints',
  component: lazyRouteComponent(
    () => import('./account/developers/endpoints/endpoints.js'),
    'EndpointsScreen',
  ),
});

const endpointRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/developers/endpoints/$endpoint',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('./account/developers/endpoints/endpoint.js'), 'EndpointScreen'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/developers/applications',
  component: lazyRouteComponent(
    () => import('./account/developers/applications/applications.js'),
    'ApplicationsScreen',
  ),
});

const applicationRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/developers/applications/$application',
  component: lazyRouteComponent(
    () => import('./account/developers/applications/application.js'),
    'ApplicationScreen',
  ),
});

/** The page to which payment providers return. */
const returnedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/billing',
  component: lazyRouteComponent(() => import('./account/billing/returned.js'), 'ReturnedScreen'),
});

/** The screens of the account whose number is in the path: two tabs can act in two accounts. */
const accountRoute = frameRoute.addChildren([
  indexRoute,
  teamRoute,
  billingRoute,
  keysRoute,
  endpointsRoute,
  endpointRoute,
  applicationsRoute,
  applicationRoute,
  settingsRoute,
  enterpriseRoute,
  newConnectionRoute,
  connectionRoute,
]);

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you',
  component: lazyRouteComponent(() => import('./you/profile/profile.js'), 'ProfileScreen'),
});

const partnersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/partners',
  component: lazyRouteComponent(() => import('./you/partners/partners.js'), 'PartnersScreen'),
});

const dataRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/data',
  component: lazyRouteComponent(() => import('./you/data/data.js'), 'DataScreen'),
});

const securityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/security',
  component: lazyRouteComponent(() => import('./you/security/security.js'), 'SecurityScreen'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/sessions',
  component: lazyRouteComponent(() => import('./you/sessions/sessions.js'), 'SessionsScreen'),
});

const connectionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/you/connections',
  component: lazyRouteComponent(() => import('./you/connections/connections.js'), 'ConnectionsScreen'),
});

/** The screens in which people look after themselves. */
const youRoutes = [
  profileRoute,
  securityRoute,
  sessionsRoute,
  connectionsRoute,
  partnersRoute,
  dataRoute,
] as const;

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
