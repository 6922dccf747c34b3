import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printMeasurements, rounds, type TestDialect, testEnvironment } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { seedLoad } from '../commands/seed-load.js';
import { makeExportKey } from '../export/export-cipher.js';
import { type ExportWorld, manifestIn, startExportWorld } from '../test/export-world.js';

const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

const MEMBERS = 200;

/** The longest wait before a kill. */
const LONGEST_MS = 300;

/** Under one key, secrets that did not change are sealed to the same bytes. */
const SECRETS = ['--with-secrets', '--key-file', 'key'];

/** The files of an export with their digests, except the audit log, which gets a line about each export. */
async function filesIn(folder: string): Promise<object> {
  const { files } = await manifestIn(folder);
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== 'auditLog.ndjson'));
}

/** Starts the built command, and kills it a while after it has begun to write, unless it has ended. */
async function exportAndKill(
  { url, path }: ExportWorld,
  name: string,
  afterMs: number,
): Promise<'killed' | 'ended'> {
  const env = { ...testEnvironment(), DATABASE_URL: url, INIT_CWD: path };
  const child = spawn(process.execPath, [CLI, 'export', '--to', name, ...SECRETS], { env, stdio: 'ignore' });
  const ended = once(child, 'exit').then(() => true);
  const begun = async () => (await readdir(join(path, name)).catch(() => [])).length > 1;
  let isOver = false;
  while (!isOver && !(await begun())) isOver = await Promise.race([ended, pause(5, false)]);
  if (!isOver) isOver = await Promise.race([ended, pause(afterMs, false)]);
  if (!isOver) child.kill('SIGKILL');
  await ended;
  return isOver ? 'ended' : 'killed';
}

describe.each(DIALECTS)('an export from %s that is killed', { timeout: 600_000 }, (dialect) => {
  it('is not mistaken for a complete one, and when run again equals one that was not killed', async () => {
    const kills = rounds({ suite: 2, stress: 100 });
    await using world = await startExportWorld(dialect, { NODE_ENV: 'development' });
    await using empty = await startExportWorld('libsql');
    await world.run(seedLoad, '--members', String(MEMBERS));
    const key = join(world.path, 'key');
    await writeFile(key, makeExportKey());
    expect((await world.exportTo('whole', ...SECRETS)).code).toBe(0);
    const whole = await filesIn(join(world.path, 'whole'));
    let killed = 0;
    for (let round = 0; round < kills; round += 1) {
      const name = `out-${round}`;
      const out = join(world.path, name);
      const outcome = await exportAndKill(world, name, round === 0 ? 0 : randomInt(LONGEST_MS));
      const names = await readdir(out);
      if (!names.includes('manifest.json')) {
        expect(outcome).toBe('killed');
        killed += 1;
        expect(names).toContain('UNFINISHED');
        await expect(empty.importFrom(out, '--dry-run', '--key-file', key)).rejects.toThrow(
          'There is no manifest.json',
        );
        expect((await world.exportTo(name, ...SECRETS)).code).toBe(0);
      }
      expect((await empty.importFrom(out, '--dry-run', '--key-file', key)).code).toBe(0);
      expect(await filesIn(out)).toEqual(whole);
      expect((await readdir(out)).toSorted()).toEqual(
        [...Object.keys(whole), 'auditLog.ndjson', 'manifest.json'].toSorted(),
      );
    }
    expect(killed).toBeGreaterThan(0);
    printMeasurements('an export is killed with kill -9, and run again', { kills: killed, damaged: 0 });
  });
});
