import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { VERSION } from '@gatehouse/auth-core';
import { expect, it } from 'vitest';

it('the command line says its version', async () => {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main, '--version']);
  expect(stdout).toBe(`${VERSION}\n`);
});
