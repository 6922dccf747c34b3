import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.js';
import { AccountFrame } from './account-frame.js';
import { AccountIndex } from './account-index.js';

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
  component: lazyRouteComponent(() => import('./team/team.js'), 'TeamScreen'),
});

const billingRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/billing',
  validateSearch: ({ returned }: { returned?: unknown }): { returned?: true } =>
    returned === true ? { returned } : {},
  component: lazyRouteComponent(() => import('./billing/billing.js'), 'BillingScreen'),
});

const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings.js'), 'SettingsScreen'),
});

/** Where providers of payments lead back to. */
export const returnedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/billing',
  component: lazyRouteComponent(() => import('./billing/returned.js'), 'ReturnedScreen'),
});

/** The screens of an account, which its number in the path names: two tabs act in two accounts. */
export const accountRoute = frameRoute.addChildren([indexRoute, teamRoute, billingRoute, settingsRoute]);
