import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';
import { readWebhookFilter } from './webhook-filter.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/webhooks',
  validateSearch: readWebhookFilter,
  component: lazyRouteComponent(() => import('./webhooks.js'), 'WebhooksScreen'),
});
