import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';
import { readMailFilter } from './mail-filter.js';

export const mailRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/mail',
  validateSearch: readMailFilter,
  component: lazyRouteComponent(() => import('./mail.js'), 'MailScreen'),
});
