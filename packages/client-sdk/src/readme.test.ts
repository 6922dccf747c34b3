import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { blockOf, startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const URL_IN_README = 'http://127.0.0.1:4000';

describe('the first login of the README', () => {
  it('works as written with curl', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    const script = blockOf('README.md', '/webauthenticate').replaceAll(URL_IN_README, service.url);
    const { stdout } = await run('bash', ['--norc', '-c', script]);
    expect(stdout).toContain('"status":true,"data":[{"id":3');
    expect(stdout).toMatch(/"limit":2,"nextCursor":"[^"]+"/);
    expect(stdout).toContain('"email":"owner@birch.test"');
    expect(stdout).toContain('"code":"account_forbidden"');
    expect(stdout).toContain('"message":"Signed out"');
    expect(stdout.endsWith('unauthorized access\n')).toBe(true);
  });

  it('works as written with the client', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    const script = blockOf('README.md', 'createMainClient').replaceAll(URL_IN_README, service.url);
    const file = fileURLToPath(new URL(`./readme-snippet-${process.pid}.ts`, import.meta.url));
    await writeFile(file, script);
    try {
      const root = fileURLToPath(new URL('../../../', import.meta.url));
      const { stdout } = await run('node_modules/.bin/tsx', ['--conditions=@gatehouse/source', file], {
        cwd: root,
      });
      expect(stdout).toContain("email: 'owner@birch.test'");
      expect(stdout).toContain('You have no access to this account.');
    } finally {
      await rm(file);
    }
  });
});
