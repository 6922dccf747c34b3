// @module-tag slow

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import {
  blockOf,
  findFreePort,
  insertTestMember,
  type RunningService,
  startService,
} from '@gatehouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILERS } from './test/compile-project.js';
import { FRAMEWORKS } from './test/frameworks.js';
import { type PackedExample, packExample } from './test/pack-example.js';
import { runExampleServer } from './test/run-example-server.js';

const run = promisify(execFile);

describe('the example of your own API', { timeout: 120_000 }, () => {
  let example: PackedExample;
  let service: RunningService;
  beforeAll(async () => {
    example = await packExample('own-api');
    service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  }, 120_000);
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await example?.[Symbol.asyncDispose]();
  });

  it('compiles', async () => {
    const { stdout } = await run(process.execPath, [join(FRAMEWORKS, COMPILERS['7']), '-p', example.folder]);
    expect(stdout).toBe('');
  });

  it.each(['express', 'fastify', 'hono', 'nest'])(
    'admits and refuses callers as the service does: %s',
    async (name) => {
      const contributor = await insertTestMember(service.database, { memberships: { 1: 3 } });
      await using server = await runExampleServer(example.folder, `${name}.ts`, service.url);
      const call = (path: string, headers: Record<string, string> = {}) =>
        fetch(`${server.url}${path}`, { headers });
      const sent = { token: contributor.token, accountid: '1' };

      const answer = await call('/colleagues', sent);
      expect([answer.status, await answer.json()]).toEqual([200, { member: contributor.id, account: 1 }]);
      const command = blockOf('examples/own-api/README.md', '/colleagues').replace(
        'http://127.0.0.1:5000',
        server.url,
      );
      const { stdout } = await run('bash', ['--norc', '-c', `TOKEN='${contributor.token}'\n${command}`]);
      expect(JSON.parse(stdout)).toEqual({ member: contributor.id, account: 1 });
      expect((await call('/colleagues')).status).toBe(401);
      expect((await call('/colleagues', { ...sent, accountid: '3' })).status).toBe(403);
      expect((await call('/billing', sent)).status).toBe(403);
      await service.send('/auth/logout', { token: contributor.token, method: 'POST' });
      expect((await call('/colleagues', sent)).status).toBe(401);
    },
  );

  it.each(['express', 'fastify', 'hono', 'nest'])(
    'answers 503 while the service is down: %s',
    async (name) => {
      const nobody = `http://127.0.0.1:${await findFreePort()}`;
      await using server = await runExampleServer(example.folder, `${name}.ts`, nobody);
      const answer = await fetch(`${server.url}/colleagues`, { headers: { token: 'any', accountid: '1' } });
      expect(answer.status).toBe(503);
    },
  );
});
