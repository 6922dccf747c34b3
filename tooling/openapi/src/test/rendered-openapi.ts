import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import type { OpenApiDocument } from '@gatehouse/http/openapi/open-api-types';
import { type RunningService, startService } from '@gatehouse/testkit';
import { wholeDocument } from './whole-document.js';

/** The public form of the services' documents: behind https. */
const env = { BASE_URL: 'https://auth.example.org' };

type Documents = Readonly<Record<'main' | 'admin', OpenApiDocument>>;

/** The documents of both services, as they serve them: without a tag, that of one tag, or all operations in one. */
export async function renderedOpenApi(tag?: string): Promise<Documents> {
  return renderedBy((read) => read(tag === undefined ? '/openapi.json' : `/openapi.json?tag=${tag}`));
}

export async function wholeOpenApi(): Promise<Documents> {
  return renderedBy(wholeDocument);
}

type Read = (path: string) => Promise<OpenApiDocument | undefined>;

async function renderedBy(render: (read: Read) => Promise<OpenApiDocument | undefined>): Promise<Documents> {
  await using main = await startService(createMain, { dialect: 'libsql', application: 'web', env });
  await using admin = await startService(createAdmin, { dialect: 'libsql', application: 'admin', env });
  const from = (service: RunningService) =>
    render(async (path) => {
      const answer = await service.send(path);
      return answer.ok ? ((await answer.json()) as OpenApiDocument) : undefined;
    });
  const [mainDocument, adminDocument] = await Promise.all([from(main), from(admin)]);
  // Tests ask only for what a service has.
  return { main: mainDocument, admin: adminDocument } as Documents;
}
