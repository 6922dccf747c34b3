import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';
import { readDeletedFilter } from './deleted-filter.js';

export const deletedRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/deleted',
  validateSearch: readDeletedFilter,
  component: lazyRouteComponent(() => import('./deleted.js'), 'DeletedScreen'),
});
