import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';

/** What is done about many members at once, and what became of it. */
export const bulkRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/bulk',
  component: lazyRouteComponent(() => import('./bulk.js'), 'BulkScreen'),
});
