import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';
import { readSpan } from './span.js';

/** Where the day begins. */
export const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  validateSearch: readSpan,
  component: lazyRouteComponent(() => import('./home.js'), 'HomeScreen'),
});
