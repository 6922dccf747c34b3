import { VERSION } from '@gatehouse/auth-core';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { describeService } from '@gatehouse/http/describe-service';
import { documentTags, openApiDocument } from '@gatehouse/http/openapi/open-api-document';
import { postmanCollection } from '@gatehouse/http/openapi/postman-collection';
import { z } from 'zod';
import { defineCommand } from '../define-command.js';

const serviceName = z.enum(['api-main', 'api-admin']);

/** The address of a service without configuration. */
const LOCAL_URLS = { 'api-main': 'http://127.0.0.1:4000', 'api-admin': 'http://127.0.0.1:4001' };

export const openapi = defineCommand({
  name: 'openapi',
  summary: 'print the OpenAPI document of a service, or a Postman collection made of it',
  usage: ['[--service api-admin] [--tag partner] [--postman]'],
  options: {
    service: {
      type: 'string',
      value: '<name>',
      default: 'api-main',
      about: 'api-main or api-admin, whose address is BASE_URL; api-main unless named',
    },
    tag: { type: 'string', value: '<tag>', about: 'only the operations with this tag, as of one reader' },
    postman: { type: 'boolean', default: false, about: 'a Postman collection, format 2.1' },
  },
  async run({ env, say }, { values: { service, tag, postman } }) {
    const name = serviceName.safeParse(service).data;
    if (name === undefined) {
      say(`gatehouse openapi: there is no service ${service}. There are ${serviceName.options.join(', ')}.`);
      return 2;
    }
    const deployment = describeService(...(await loadService(name, env)));
    const tags = documentTags(deployment);
    const known = tags.find((each) => each === tag);
    if (tag !== undefined && known === undefined) {
      say(`gatehouse openapi: there is no tag ${tag}. There are ${tags.join(', ')}.`);
      return 2;
    }
    const document = openApiDocument(deployment, known);
    say(JSON.stringify(postman ? postmanCollection(document) : document, undefined, 2));
    return 0;
  },
});

/** Other commands need no procedures, and start sooner without them. */
async function loadService(
  name: z.output<typeof serviceName>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Parameters<typeof describeService>> {
  const isAdmin = name === 'api-admin';
  const [{ router }, { routes }] = isAdmin
    ? await Promise.all([import('@gatehouse/api-admin/router'), import('@gatehouse/api-admin/routes')])
    : await Promise.all([import('@gatehouse/api-main/router'), import('@gatehouse/api-main/routes')]);
  const { NODE_ENV, TOKEN_HEADER_KEY, COOKIE_ORIGINS, APP_URL, BASE_URL } = configShape;
  const base = BASE_URL.default(LOCAL_URLS[name]);
  const shape = { NODE_ENV, TOKEN_HEADER_KEY, COOKIE_ORIGINS, BASE_URL: base, APP_URL: APP_URL.optional() };
  const config = readConfig(shape, env);
  const service = {
    name,
    version: VERSION,
    application: isAdmin ? 'admin' : 'web',
    router,
    hasLanding: true,
    config: { ...config, APP_URL: config.APP_URL ?? config.BASE_URL },
  };
  return [service, routes];
}
