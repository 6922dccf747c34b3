import { VERSION } from '@gatehouse/auth-core';
import type { Services } from '@gatehouse/features/core/context';
import { consoleSettings } from '@gatehouse/features/deployment/console-settings';
import { landingPage } from '@gatehouse/features/deployment/landing-page';
import { refusalPage } from '@gatehouse/features/pages/refusal-page';
import { createService, type Service } from '@gatehouse/http/create-service';
import { createWebApp } from '@gatehouse/http/web/web-app';
import { SERVICE_NAME } from './identity.js';
import { router } from './router.js';
import { routes } from './routes.js';

const ABOUT = 'Staff look after people, accounts, partners and payments here.';

/** The console's build, at the same relative path from the sources and from this service's build. */
const CONSOLE_FILES = new URL('../../console/dist/', import.meta.url);

/** Creates the admin service without listening. */
export function createApp(services: Services): Service {
  const { CONSOLE, BASE_URL: baseUrl } = services.config;
  const data = consoleSettings(services);
  const webApps = CONSOLE ? [createWebApp({ prefix: '/console', folder: CONSOLE_FILES, data, baseUrl })] : [];
  const landing = landingPage({ name: SERVICE_NAME, about: ABOUT }, routes, webApps);
  const own = { name: SERVICE_NAME, version: VERSION };
  const deployment = { ...own, router, routes, landing, refusal: refusalPage, webApps };
  return createService(deployment, services);
}
