// @module-tag slow

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openDatabase } from '@gatehouse/db/open-database';
import { blockOf, createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { PLAY_PNPM } from '../test/play-pnpm.js';
import { seedLoad } from './seed-load.js';

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

  it('makes what is measured, by the commands of the guide to performance', {
    timeout: 120_000,
  }, async () => {
    await using folder = await createTestFolder();
    const shell = async (script: string) => {
      const given = { cwd: folder.path, env: { PATH: '/usr/local/bin:/usr/bin:/bin' } };
      return (await promisify(execFile)('bash', ['--norc', '-eu', '-c', `${PLAY_PNPM}\n${script}`], given))
        .stdout;
    };
    const lines = blockOf('docs/performance.md', 'seed-load').trim().split('\n');
    const few = lines.slice(0, -1).join('\n').replace('1000000', '20').replace('200000', '4');
    const said = await shell(few);
    expect(said).toContain('20 members in 4 accounts');
    const told = (pattern: RegExp) => pattern.exec(said)?.[1] ?? '';
    const [define = '', measure = ''] = [lines[0], lines.at(-1)];
    const lists = measure
      .replace('<address>', told(/^(\S+) owns/m))
      .replace('<address>', told(/^(\S+) is staff/m))
      .replace('<id>', told(/conversation is (\d+)/));
    const table = await shell(`${define}\n${lists} --rows 'all members, first' --rounds 1`);
    expect(table).toMatch(/^\| member list, all members, first page \| [\d,]+ \|/m);
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
