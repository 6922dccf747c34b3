import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';

/** Why somebody cannot get in. */
export const helpRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/help',
  validateSearch: ({ who }: Record<string, unknown>): { readonly who?: string } =>
    typeof who === 'string' || typeof who === 'number' ? { who: String(who) } : {},
  component: lazyRouteComponent(() => import('./help.js'), 'HelpScreen'),
});
