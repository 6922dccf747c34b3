import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { VERSION } from '@gatehouse/auth-core';
import { blockOf, createTestFolder } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { PLAY_PNPM } from './test/play-pnpm.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const run = promisify(execFile);

it('the command line says its version', async () => {
  const { stdout } = await run(process.execPath, [MAIN, '--version']);
  expect(stdout).toBe(`${VERSION}\n`);
});

it('the lines of the guide to moving make a database to try it in', async () => {
  await using folder = await createTestFolder();
  const script = `${PLAY_PNPM}\n${blockOf('docs/moving.md', 'trial.db')}`;
  const { stdout } = await run('bash', ['--norc', '-eu', '-c', script], { cwd: folder.path });
  expect(stdout).toMatch(/^\d+ applied\.$/m);
  await access(`${folder.path}/.data/trial.db`);
});
