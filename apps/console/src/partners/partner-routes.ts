import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';

const getParentRoute = () => frameRoute;

/** The screens about partners. */
export const partnerRoutes = [
  createRoute({
    getParentRoute,
    path: '/partners',
    component: lazyRouteComponent(() => import('./partners.js'), 'PartnersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/new',
    component: lazyRouteComponent(() => import('./new-partner.js'), 'NewPartnerScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/$partnerId',
    component: lazyRouteComponent(() => import('./partner.js'), 'PartnerScreen'),
  }),
] as const;
