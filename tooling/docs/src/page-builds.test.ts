// @module-tag slow

import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { blockOf, createTestFolder } from '@gatehouse/testkit';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The files of a build. Their names say what is in them. */
const filesOf = async (folder: string) => (await readdir(folder, { recursive: true })).toSorted();

it.each([
  ['portal', blockOf('apps/portal/README.md', 'portal build')],
  ['console', blockOf('apps/console/README.md', 'console build')],
])(
  'the README of the %s builds its pages as the services have them',
  { timeout: 120_000 },
  async (name, command) => {
    await using folder = await createTestFolder();
    const [, filtered = '', script = ''] = /^pnpm --filter @gatehouse\/(\w+) (\w+)/.exec(command) ?? [];
    const { scripts } = JSON.parse(await readFile(`${ROOT}apps/${filtered}/package.json`, 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };
    // Into another folder, because other tests open the pages.
    const build = scripts[script]?.replaceAll('vite build', `vite build --outDir '${folder.path}'`) ?? '';
    await promisify(execFile)(
      'bash',
      ['--norc', '-eu', '-c', `PATH="$PWD/node_modules/.bin:$PATH"; ${build}`],
      {
        cwd: `${ROOT}apps/${filtered}`,
        env: { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` },
      },
    );
    expect(await filesOf(folder.path)).toEqual(await filesOf(`${ROOT}apps/${name}/dist`));
  },
);
