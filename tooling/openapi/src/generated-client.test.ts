// @module-tag slow

import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { type RunningService, startService } from '@gatehouse/testkit';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, it } from 'vitest';
import { createGeneratedProject, type GeneratedProject } from './test/generated-project.js';

interface Generator {
  readonly name: string;
  /** Makes the client of `<service>.json`. */
  generate(project: GeneratedProject, service: 'main' | 'admin', url: string): Promise<void>;
  /** Signs in, wrongly and rightly, and lists two members of account 1. */
  readonly program: string;
  /** An unknown field, a value of the wrong type, and an operation that does not exist. */
  readonly wrong: readonly string[];
}

const PRINT = `
console.log(JSON.stringify({
  status: refused.response.status,
  code: refused.error?.error.code,
  first: members.data?.data[0]?.username,
  rows: members.data?.data.length,
}));
`;

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    async generate(project, service) {
      const types = astToString(await openapiTS(new URL(`file://${project.at(`${service}.json`)}`)));
      await project.write(`${service}.ts`, types);
    },
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './main.js';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const refused = await client.POST('/v1/login/web', { body: { email: 'owner@acme.test', password: 'wrong' } });
const signedIn = await client.POST('/v1/login/web', {
  body: { email: 'owner@acme.test', password: 'Lantern-Harbor-42' },
});
const token: string = signedIn.data?.token ?? '';
const members = await client.GET('/v1/member/list', {
  params: { header: { Accountid: 1 }, query: { limit: 2 } },
  headers: { Token: token },
});
${PRINT}`,
    wrong: [
      "client.POST('/v1/password/forgot', { body: { mail: 'owner@acme.test' } });",
      "client.GET('/v1/member/list', { params: { header: { Accountid: 'one' } } });",
      "client.GET('/getAllMemberslist', {});",
    ],
  },
  {
    name: '@hey-api/openapi-ts',
    async generate(project, service) {
      const config = {
        input: project.at(`${service}.json`),
        output: { path: project.at(service), importFileExtension: '.js' },
        plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
        logs: { level: 'warn', file: false },
      };
      await project.write('openapi-ts.config.mjs', `export default ${JSON.stringify(config)};`);
      await project.generate('@hey-api/openapi-ts/bin/run.js', '--file', project.at('openapi-ts.config.mjs'));
    },
    program: `
import { createClient } from './main/client/index.js';
import { loginWeb, memberList, passwordForgot } from './main/index.js';
import * as api from './main/index.js';

const client = createClient({ baseUrl: process.argv[2] ?? '' });
const refused = await loginWeb({ client, body: { email: 'owner@acme.test', password: 'wrong' } });
const signedIn = await loginWeb({
  client,
  body: { email: 'owner@acme.test', password: 'Lantern-Harbor-42' },
});
client.setConfig({ auth: ({ name }) => (name === 'Token' ? signedIn.data?.token : undefined) });
const answer = await memberList({ client, headers: { Accountid: 1 }, query: { limit: 2 } });
const members = { data: typeof answer.data === 'object' ? answer.data : undefined };
void passwordForgot, api;
${PRINT}`,
    wrong: [
      "passwordForgot({ client, body: { mail: 'owner@acme.test' } });",
      "memberList({ client, headers: { Accountid: 'one' } });",
      'api.memberListLegacy({ client });',
    ],
  },
  {
    name: 'orval',
    async generate(project, service, url) {
      const config = {
        api: {
          input: { target: project.at(`${service}.json`) },
          output: { target: project.at(`${service}.ts`), client: 'fetch', mode: 'single', baseUrl: url },
        },
      };
      await project.write('orval.config.mjs', `export default ${JSON.stringify(config)};`);
      await project.generate('orval/dist/bin/orval.mjs', '--config', project.at('orval.config.mjs'));
    },
    program: `
import { loginWeb, memberList, passwordForgot } from './main.js';
import * as api from './main.js';

const answered = await loginWeb({ email: 'owner@acme.test', password: 'wrong' });
const refused = {
  response: { status: answered.status },
  error: answered.status === 401 ? answered.data : undefined,
};
const signedIn = await loginWeb({ email: 'owner@acme.test', password: 'Lantern-Harbor-42' });
const token: string = signedIn.status === 200 ? signedIn.data.token : '';
const answer = await memberList({ limit: 2 }, { headers: { Token: token, Accountid: '1' } });
const members = { data: answer.status === 200 ? answer.data : undefined };
void passwordForgot, api;
${PRINT}`,
    wrong: [
      "passwordForgot({ mail: 'owner@acme.test' });",
      "memberList({ limit: 'two' });",
      'api.memberListLegacy();',
    ],
  },
];

async function putDocument(project: GeneratedProject, name: string, service: RunningService) {
  await project.write(`${name}.json`, await (await service.send('/openapi.json')).text());
}

it.each(GENERATORS)(
  '$name generates clients of both documents that compile, sign in, and are held to the types',
  { timeout: 180_000 },
  async ({ generate, program, wrong }) => {
    await using main = await startService(createMain, { dialect: 'libsql', application: 'web' });
    await using admin = await startService(createAdmin, { dialect: 'libsql', application: 'admin' });
    await using project = await createGeneratedProject();
    await putDocument(project, 'main', main);
    await putDocument(project, 'admin', admin);
    await generate(project, 'main', main.url);
    await generate(project, 'admin', admin.url);
    await project.write('client.ts', program);

    expect(await project.compile()).toBe('');
    expect(JSON.parse(await project.run('client.js', main.url))).toEqual({
      status: 401,
      code: 'invalid_credentials',
      first: expect.stringMatching(/./),
      rows: 2,
    });
    expect(await project.refused('client.ts', wrong)).toEqual(wrong);
  },
);
