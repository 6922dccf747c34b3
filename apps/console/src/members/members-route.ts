import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';
import { readFilters } from './filters.js';

export const membersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/members',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./members.js'), 'MembersScreen'),
});
