import type { Services } from '@gatehouse/features/app/services';
import { landingPage } from '@gatehouse/features/pages/landing-page';
import { createService, type Service } from '@gatehouse/http/create-service';
import { SERVICE_NAME, SERVICE_VERSION } from './identity.js';
import { router } from './router.js';
import { routes } from './routes.js';

const ABOUT = 'Staff look after people, accounts, partners and payments here.';

/** Creates the admin service without listening. */
export function createApp(services: Services): Service {
  const landing = landingPage({ name: SERVICE_NAME, about: ABOUT }, routes);
  return createService({ name: SERVICE_NAME, version: SERVICE_VERSION, router, routes, landing }, services);
}
