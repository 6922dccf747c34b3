// @module-tag slow

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { blockOf } from '@gatehouse/testkit';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

it('the guide for contributors names tests that there are', { timeout: 120_000 }, async () => {
  const command = blockOf('CONTRIBUTING.md', 'vitest run').replaceAll(/\\\n/g, ' ').trim();
  const [, words = ''] = /^pnpm exec vitest run (.+)$/.exec(command) ?? [];
  const args = words.split(/\s+/);
  const { stdout } = await promisify(execFile)('node_modules/.bin/vitest', ['list', '--filesOnly', ...args], {
    cwd: ROOT,
  });
  const paths = args.filter((word) => word.includes('/'));
  expect(paths).toHaveLength(8);
  expect(paths.filter((path) => !stdout.includes(path))).toEqual([]);
});
