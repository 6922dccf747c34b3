import type { Kit } from '@gatehouse/features/app/kit';
import { createService, type Service } from '@gatehouse/http/create-service';
import { SERVICE_NAME, SERVICE_VERSION } from './identity.js';
import { router } from './router.js';
import { routes } from './routes.js';

/** The admin service over a kit; it does not listen yet. */
export function createApp(kit: Kit): Service {
  return createService({ name: SERVICE_NAME, version: SERVICE_VERSION, router, routes }, kit);
}
