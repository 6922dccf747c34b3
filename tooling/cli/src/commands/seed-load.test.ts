// @module-tag slow

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase } from '@gatehouse/db/open-database';
import { blockOf, createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { seedLoad } from './seed-load.js';

const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

async function runIn(url: string, args: readonly string[], env: Record<string, string> = {}) {
  const said: string[] = [];
  const code = await seedLoad.run({
    args,
    env: { NODE_ENV: 'development', DATABASE_URL: url, ...env },
    say: (line) => void said.push(line),
    draw: () => undefined,
  });
  return { code, said };
}

describe('gatehouse seed-load', () => {
  it('adds members whom a search finds by any part of the name, in addition to existing ones, even if run twice', async () => {
    await using folder = await createTestFolder();
    const url = `file:${folder.path}/load.db`;
    const db = await openDatabase(url);
    try {
      await db.migrate();
      for (const members of [300, 40]) {
        const { code, said } = await runIn(url, ['--members', String(members)]);
        expect(code).toBe(0);
        expect(said.at(-4)).toMatch(`${members} members in ${members / 5} accounts`);
      }
      const people = await db.select().from(db.tables.members);
      expect(people).toHaveLength(300 + 1 + 40 + 1);
    } finally {
      await db.close();
    }
  });

  it('is run after the commands of the guide to performance, with fewer people', async () => {
    await using folder = await createTestFolder();
    const [define = '', prepare = '', load = ''] = blockOf('docs/performance.md', 'seed-load').split('\n');
    const few = load.replace('1000000', '20').replace('200000', '4');
    const play = `pnpm() { shift 2; '${process.execPath}' '${CLI}' "$@"; }`;
    const { stdout } = await promisify(execFile)(
      'bash',
      ['--norc', '-eu', '-c', [play, define, prepare, few].join('\n')],
      {
        cwd: folder.path,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      },
    );
    expect(stdout).toContain('20 members in 4 accounts');
  });

  it('is refused in production, and shows its usage when misused', async () => {
    const url = 'file:/nonexistent/load.db';
    expect(await runIn(url, ['--members', '100'], { NODE_ENV: 'production' })).toMatchObject({ code: 1 });
    for (const args of [
      [],
      ['--members', '5'],
      ['--members', 'many'],
      ['--members', '20', '--accounts', '21'],
    ]) {
      expect((await runIn(url, args)).code).toBe(2);
    }
  });
});
