import { readFileSync } from 'node:fs';
import { router as adminRouter } from '@gatehouse/api-admin/router';
import { routes as adminRoutes } from '@gatehouse/api-admin/routes';
import { router as mainRouter } from '@gatehouse/api-main/router';
import { routes as mainRoutes } from '@gatehouse/api-main/routes';
import { renderPermissions } from '@gatehouse/auth-core';
import { SOCIAL_PROVIDERS } from '@gatehouse/features/core/social-providers/social-providers';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { renderAsyncApi } from './render-asyncapi.js';
import { renderConfiguration } from './render-configuration.js';
import { renderEndpoints } from './render-endpoints.js';
import { renderExportedTables } from './render-exported-tables.js';
import { renderProviderTable, renderProviderVariables } from './render-providers.js';

/** The documents rendered from the code's data: path from the root → text. */
export function renderedDocuments(): Readonly<Record<string, string>> {
  const example = renderProviderVariables(read('.env.example'), SOCIAL_PROVIDERS);
  return {
    '.env.example': example,
    'docs/configuration.md': renderConfiguration(example),
    'docs/social.md': renderProviderTable(read('docs/social.md'), SOCIAL_PROVIDERS),
    'docs/exporting.md': renderExportedTables(read('docs/exporting.md')),
    'docs/permissions.md': renderPermissions(),
    'docs/asyncapi.json': renderAsyncApi(),
    'docs/endpoints.md': renderEndpoints([
      { title: 'Main service', routes: mainRoutes, procedures: listProcedures(mainRouter) },
      { title: 'Admin service', routes: adminRoutes, procedures: listProcedures(adminRouter) },
    ]),
  };
}

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}
