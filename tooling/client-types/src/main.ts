import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { router as adminRouter } from '@gatehouse/api-admin/router';
import { routes as adminRoutes } from '@gatehouse/api-admin/routes';
import { router as mainRouter } from '@gatehouse/api-main/router';
import { routes as mainRoutes } from '@gatehouse/api-main/routes';
import { bundleTypes } from './bundle-types.js';
import { procedureDescriptions } from './describe-router.js';

/** Runs in the client's folder, after its compiler: puts one declaration next to each entry, as ESM and as CommonJS. */
const dist = join(process.cwd(), 'dist');
const declarations = join(dist, 'declarations');

const files = await bundleTypes(
  ['main', 'admin', 'events', 'passkeys', 'react', 'server', 'verify', 'view'].map((name) =>
    join(declarations, `${name}.d.ts`),
  ),
  {
    'api-main': procedureDescriptions(mainRouter, mainRoutes),
    'api-admin': procedureDescriptions(adminRouter, adminRoutes),
  },
);
for (const folder of [dist, join(dist, 'cjs')])
  await Promise.all([...files].map(([name, text]) => writeFile(join(folder, name), text)));
await writeFile(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
await rm(declarations, { recursive: true });
