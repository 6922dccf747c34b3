import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import type { OpenApiDocument } from '@gatehouse/http/openapi/document';
import { startService } from '@gatehouse/testkit';

/** The public form of the services' documents: behind https. */
const env = { BASE_URL: 'https://auth.example.org' };

/** The documents of both services, as they serve them. */
export async function renderedOpenApi(): Promise<Readonly<Record<'main' | 'admin', OpenApiDocument>>> {
  await using main = await startService(createMain, { dialect: 'libsql', application: 'web', env });
  await using admin = await startService(createAdmin, { dialect: 'libsql', application: 'admin', env });
  const [mainAnswer, adminAnswer] = await Promise.all([
    main.send('/openapi.json'),
    admin.send('/openapi.json'),
  ]);
  return {
    main: (await mainAnswer.json()) as OpenApiDocument,
    admin: (await adminAnswer.json()) as OpenApiDocument,
  };
}
