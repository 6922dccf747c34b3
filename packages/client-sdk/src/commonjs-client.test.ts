// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileProject } from './test/compile-project.js';
import { FRAMEWORKS } from './test/frameworks.js';
import { installPackedClient, type PackedClient } from './test/install-packed-client.js';

const run = promisify(execFile);

/** Nothing listens there. */
const DOWN = 'http://127.0.0.1:1';

const USES = `
const { createMainClient, isGatehouseError, isUnavailable, memoryStore } = require('@gatehouse/client-sdk');
const thrown = (call) => call.then(() => undefined, (error) => error);
async function use(url) {
  const owner = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };
  const gatehouse = createMainClient({ url, store: memoryStore() });
  await gatehouse.signIn(owner);
  const { data } = await gatehouse.withAccount(1).api.member.list.query({});
  const refusal = await thrown(gatehouse.withAccount(3).api.member.list.query());
  const outage = await thrown(createMainClient({ url: '${DOWN}', store: memoryStore(), retry: false }).signIn(owner));
  const slow = { signal: AbortSignal.timeout(1) };
  const late = await thrown(createMainClient({ url: '${DOWN}', store: memoryStore() }).signIn(owner, slow));
  return [data.length, isGatehouseError(refusal, 'account_forbidden'), isUnavailable(outage), isUnavailable(late), refusal];
}
`;

const PROGRAM = `${USES}
use(process.argv[2]).then(async ([members, isRefused, isDown, isLate, refusal]) => {
  const asEsm = await import('@gatehouse/client-sdk');
  console.log(members, isRefused, isDown, isLate, asEsm.createMainClient === createMainClient, asEsm.isGatehouseError(refusal));
});
`;

const JEST = `${USES}
const entries = ['admin', 'passkeys', 'react', 'server', 'verify', 'view'];
test.each(entries)('loads %s', (name) => {
  expect(Object.keys(require('@gatehouse/client-sdk/' + name)).length).toBeGreaterThan(0);
});
test('uses a service', async () => {
  expect((await use(process.env.GATEHOUSE_URL)).slice(0, 4)).toEqual([7, true, true, true]);
});
`;

const TYPED = `
import { createMainClient, isGatehouseError } from '@gatehouse/client-sdk';
import { createServerClient } from '@gatehouse/client-sdk/server';
export const gatehouse = createMainClient({ url: '' });
export const server = createServerClient({ url: '', cookies: { get: () => null } });
// @ts-expect-error -- a code that no refusal has
isGatehouseError(undefined, 'no_such_code');
`;

describe('the packed client in CommonJS', { timeout: 120_000 }, () => {
  let packed: PackedClient;
  beforeAll(async () => {
    packed = await installPackedClient();
    await Promise.all(['react', '@types/react'].map((name) => packed.link('', name)));
  });
  afterAll(() => packed[Symbol.asyncDispose]());

  it('is loaded by require, and knows the refusals of the client that import loads', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    await packed.write('program.cjs', PROGRAM);
    const { stdout, stderr } = await run(process.execPath, ['program.cjs', service.url], {
      cwd: packed.folder,
    });
    expect([stdout, stderr]).toEqual(['7 true true true false true\n', '']);
  });

  it('is loaded by Jest without configuration', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    await mkdir(`${packed.folder}/jest`);
    await packed.write('jest/package.json', '{ "name": "consumer" }');
    await packed.write('jest/client.test.js', JEST);
    const { stderr } = await run(
      process.execPath,
      [join(FRAMEWORKS, 'jest/bin/jest.js'), '--ci', '--rootDir', 'jest'],
      {
        cwd: packed.folder,
        env: { GATEHOUSE_URL: service.url },
      },
    );
    expect(stderr).toContain('Tests:       7 passed, 7 total');
  });

  it('has types for CommonJS', async () => {
    const options = { module: 'Node16', moduleResolution: 'Node16' };
    const { errors } = await compileProject(packed.folder, 'typed', { 'use.cts': TYPED }, '5.9', options);
    expect(errors).toEqual([]);
  });
});
