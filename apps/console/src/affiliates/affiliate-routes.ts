import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';
import { readSearched } from '../shell/searched.js';

const getParentRoute = () => frameRoute;

/** The screens about affiliates. */
export const affiliateRoutes = [
  createRoute({
    getParentRoute,
    path: '/affiliates',
    validateSearch: readSearched,
    component: lazyRouteComponent(() => import('./affiliates.js'), 'AffiliatesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/affiliates/$memberId',
    component: lazyRouteComponent(() => import('./affiliate.js'), 'AffiliateScreen'),
  }),
] as const;
