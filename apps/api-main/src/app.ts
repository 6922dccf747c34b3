import { VERSION } from '@gatehouse/auth-core';
import { APPLICATION_PATHS } from '@gatehouse/features/application/provider/provider-endpoints';
import type { Services } from '@gatehouse/features/core/context';
import { landingPage } from '@gatehouse/features/deployment/landing-page';
import {
  brandFiles,
  documentSettings,
  requireKnownMessages,
} from '@gatehouse/features/deployment/portal-settings';
import { PROTECTED_RESOURCE_PATH } from '@gatehouse/features/mcp/protected-resource';
import { refusalPage } from '@gatehouse/features/pages/refusal-page';
import { createService, type Service } from '@gatehouse/http/create-service';
import { createDocumentSite } from '@gatehouse/http/web/document-site';
import { createWebApp } from '@gatehouse/http/web/web-app';
import { SERVICE_NAME } from './identity.js';
import { router } from './router.js';
import { routes } from './routes.js';

const ABOUT =
  'The service that signs members and users of partners in, and keeps their organizations and subscriptions.';

/** The portal's build, at the same relative path from the sources and from this service's build. */
const PORTAL_FILES = new URL('../../portal/dist/', import.meta.url);

/** The documents as pages, if they are built. */
const DOCUMENT_FILES = new URL('../../../tooling/site/dist/', import.meta.url);

/**
 * Creates the main service without listening.
 * @param portalFiles where the build of the portal is, if there is one
 * @param documentFiles where that of the documents is, which a development start serves
 * @throws {ConfigError} where the brand replaces messages that the portal does not have
 */
export function createApp(
  services: Services,
  portalFiles: URL = PORTAL_FILES,
  documentFiles: URL = DOCUMENT_FILES,
): Service {
  const { NODE_ENV, PORTAL, PORTAL_BRAND, BASE_URL: baseUrl } = services.config;
  if (PORTAL && PORTAL_BRAND !== undefined) requireKnownMessages(PORTAL_BRAND, portalFiles);
  const own = brandFiles(PORTAL_BRAND);
  const data = documentSettings(services);
  const portal = PORTAL ? [createWebApp({ prefix: '/portal', folder: portalFiles, own, data, baseUrl })] : [];
  const site = NODE_ENV === 'development' ? [createDocumentSite('/dev/docs', documentFiles)] : [];
  const webApps = [...portal, ...site];
  const landing = landingPage({ name: SERVICE_NAME, about: ABOUT }, routes, webApps);
  const deployment = {
    name: SERVICE_NAME,
    version: VERSION,
    router,
    routes,
    landing,
    refusal: refusalPage,
    webApps,
    applicationPaths: APPLICATION_PATHS,
    resourceMetadataPath: PROTECTED_RESOURCE_PATH,
  };
  const servesPortal = portal.some(({ isBuilt }) => isBuilt);
  return createService(deployment, { ...services, servesPortal });
}
