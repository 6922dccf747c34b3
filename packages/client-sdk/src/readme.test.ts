import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const URL_IN_README = 'http://127.0.0.1:4000';

/** The first code block in a language after a README heading. */
async function snippet(heading: string, language: string): Promise<string> {
  const text = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf(heading));
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? '';
}

describe('the first login of the README', () => {
  it('works as written with curl', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    const script = (await snippet('## A first login', 'sh')).replaceAll(URL_IN_README, service.url);
    expect(script).toContain('/webauthenticate');
    const { stdout } = await run('bash', ['-c', script]);
    expect(stdout).toContain('"status":true,"data":[{"id":3');
    expect(stdout).toMatch(/"limit":2,"nextCursor":"[^"]+"/);
    expect(stdout).toContain('"email":"owner@birch.test"');
    expect(stdout).toContain('"code":"account_forbidden"');
    expect(stdout).toContain('"message":"Signed out"');
    expect(stdout.endsWith('unauthorized access\n')).toBe(true);
  });

  it('works as written with the client', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    const script = (await snippet('## A first login', 'ts')).replaceAll(URL_IN_README, service.url);
    expect(script).toContain('createMainClient');
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
