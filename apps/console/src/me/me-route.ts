import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';

export const meRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/me',
  component: lazyRouteComponent(() => import('./own.js'), 'OwnScreen'),
});
