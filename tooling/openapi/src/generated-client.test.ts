import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '@gatehouse/api-main/app';
import { createTestFolder, startService } from '@gatehouse/testkit';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, it } from 'vitest';
import { runNode } from './test/run-node.js';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const tsc = join(modules, '@typescript', 'native', 'bin', 'tsc');

const CLIENT = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const refused = await client.POST('/webauthenticate', { body: { email: 'owner@acme.test', password: 'wrong' } });
const signedIn = await client.POST('/webauthenticate', {
  body: { email: 'owner@acme.test', password: 'Lantern-Harbor-42' },
});
const token: string = signedIn.data?.token ?? '';
const members = await client.GET('/getAllMemberslist', {
  params: { header: { Accountid: 1 }, query: { limit: 2 } },
  headers: { Token: token },
});
const code: 'invalid_credentials' | undefined = refused.response.status === 401 && refused.error?.error.code === 'invalid_credentials'
  ? refused.error.error.code
  : undefined;
if (typeof members.error === 'object') console.error(members.error.error.code, members.error.message);
const first: { username: string; role_type: number } | undefined = members.data?.data[0];
console.log(JSON.stringify({
  refused: refused.error,
  code,
  status: refused.response.status,
  first: first?.username,
  rows: members.data?.data.length,
}));
`;

/** The types must refuse: an unknown field, a value of the wrong type, and an unknown path. */
const WRONG = [
  "client.POST('/forgotPassword', { body: { mail: 'owner@acme.test' } });",
  "client.GET('/getAllMemberslist', { params: { header: { Accountid: 'one' } } });",
  "client.GET('/getAllMembers', {});",
];

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'out',
  },
  include: ['client.ts'],
};

it('openapi-typescript makes a client of the document that compiles, signs in, and is held to the types', async () => {
  await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  await using folder = await createTestFolder();
  const at = (name: string) => join(folder.path, name);
  const document = await (await service.send('/openapi.json')).text();
  await symlink(modules, at('node_modules'));
  await writeFile(at('package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(at('tsconfig.json'), JSON.stringify(TSCONFIG));
  await writeFile(at('api.ts'), astToString(await openapiTS(document)));
  await writeFile(at('client.ts'), CLIENT);

  expect(await runNode([tsc, '-p', folder.path])).toEqual({ isOk: true, output: '' });
  const { output } = await runNode([at('out/client.js'), service.url]);
  expect(JSON.parse(output)).toEqual({
    refused: expect.objectContaining({ error: { code: 'invalid_credentials' } }),
    code: 'invalid_credentials',
    status: 401,
    first: expect.stringMatching(/./),
    rows: 2,
  });

  const sound = await readFile(at('client.ts'), 'utf8');
  await writeFile(at('client.ts'), `${sound}\n${WRONG.map((line) => `await ${line}`).join('\n')}\n`);
  const failure = await runNode([tsc, '-p', folder.path, '--noEmit']);
  const firstWrong = sound.split('\n').length + 1;
  const places = [...failure.output.matchAll(/client\.ts\((\d+),/g)].map(
    ([, line]) => Number(line) - firstWrong,
  );
  expect(new Set(places)).toEqual(new Set(WRONG.keys()));
});
