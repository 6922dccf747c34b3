import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';
import { readSearched } from '../shell/searched.js';

const getParentRoute = () => frameRoute;

/** The screens about colleagues, and about oneself. */
export const staffRoutes = [
  createRoute({
    getParentRoute,
    path: '/staff',
    validateSearch: readSearched,
    component: lazyRouteComponent(() => import('./staff.js'), 'StaffScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/staff/new',
    component: lazyRouteComponent(() => import('./new-colleague.js'), 'NewColleagueScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/staff/$personnelId',
    component: lazyRouteComponent(() => import('./colleague.js'), 'ColleagueScreen'),
  }),
] as const;
