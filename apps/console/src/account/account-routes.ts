import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';
import { readAccountFilters } from './account-filters.js';

const getParentRoute = () => frameRoute;

/** The screens about accounts. */
export const accountRoutes = [
  createRoute({
    getParentRoute,
    path: '/accounts',
    validateSearch: readAccountFilters,
    component: lazyRouteComponent(() => import('./accounts.js'), 'AccountsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$accountId',
    component: lazyRouteComponent(() => import('./account.js'), 'AccountScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$accountId/members',
    component: lazyRouteComponent(() => import('./people.js'), 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$accountId/billing',
    component: lazyRouteComponent(() => import('./billing.js'), 'BillingScreen'),
  }),
] as const;
