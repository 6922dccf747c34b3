import type { Services } from '@gatehouse/features/app/services';
import { createService, type Service } from '@gatehouse/http/create-service';
import { SERVICE_NAME, SERVICE_VERSION } from './identity.js';
import { router } from './router.js';
import { routes } from './routes.js';

/** The main service; it does not listen yet. */
export function createApp(services: Services): Service {
  return createService({ name: SERVICE_NAME, version: SERVICE_VERSION, router, routes }, services);
}
