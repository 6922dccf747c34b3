import type { Services } from '@gatehouse/features/app/services';
import { landingPage } from '@gatehouse/features/pages/landing-page';
import { createService, type Service } from '@gatehouse/http/create-service';
import { createWebApp } from '@gatehouse/http/web/web-app';
import { SERVICE_NAME, SERVICE_VERSION } from './identity.js';
import { router } from './router.js';
import { routes } from './routes.js';

const ABOUT =
  'Members sign in here and act in their accounts, partners sign their users on, and payments arrive.';

/** The build of the portal, found alike from the sources and from the build of this service. */
const PORTAL_FILES = new URL('../../portal/dist/', import.meta.url);

/** Creates the main service without listening. */
export function createApp(services: Services): Service {
  const webApps = services.config.PORTAL ? [createWebApp({ prefix: '/portal', folder: PORTAL_FILES })] : [];
  const landing = landingPage({ name: SERVICE_NAME, about: ABOUT }, routes, webApps);
  const deployment = { name: SERVICE_NAME, version: SERVICE_VERSION, router, routes, landing, webApps };
  return createService(deployment, services);
}
