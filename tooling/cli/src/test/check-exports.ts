import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import {
  createTestDatabase,
  createTestFolder,
  type TestDialect,
  testConfig,
  testEnvironment,
} from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { exportData } from '../commands/export-data.js';
import type { ExportManifest } from '../export/export-manifest.js';
import { fillEveryTable } from './fill-every-table.js';

/** An operator who exports a database. */
interface ExportWorld extends AsyncDisposable {
  readonly db: Database;
  /** The folder in which exports are. */
  readonly path: string;
  run(...args: string[]): Promise<{ code: number; said: string }>;
}

async function startExportWorld(dialect: TestDialect): Promise<ExportWorld> {
  const folder = await createTestFolder();
  const own = await createTestDatabase(dialect);
  return {
    db: own.database,
    path: folder.path,
    async run(...args) {
      const said: string[] = [];
      const code = await exportData.run({
        args,
        env: { ...testEnvironment(), DATABASE_URL: own.url, INIT_CWD: folder.path },
        say: (line) => void said.push(line),
        draw: () => undefined,
      });
      return { code, said: said.join('\n') };
    },
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const manifestIn = async (folder: string): Promise<ExportManifest> =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as ExportManifest;

/** What an export guarantees, on one database. */
export function checkExports(dialect: TestDialect): void {
  it('an export has a line for each row, for its owner alone, with counts and digests that are true', async () => {
    await using world = await startExportWorld(dialect);
    await fillEveryTable(world.db, createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY }));
    const { code, said } = await world.run('--to', 'out');
    expect(code).toBe(0);
    const out = join(world.path, 'out');
    const { files, sealedWith, format } = await manifestIn(out);
    expect([format, sealedWith]).toEqual(['gatehouse-export', null]);
    expect((await readdir(out)).toSorted()).toEqual([...Object.keys(files), 'manifest.json'].toSorted());
    expect(said).toContain(`holds ${Object.keys(files).length} files`);
    expect((await stat(out)).mode & 0o777).toBe(0o700);
    for (const [name, { rows, bytes, sha256 }] of Object.entries(files)) {
      const content = await readFile(join(out, name));
      const lines = content.toString('utf8').split('\n').slice(0, -1);
      const digest = createHash('sha256').update(content).digest('hex');
      // One line of the audit log is of the fill, and one of the export.
      expect([name, rows]).toEqual([name, name === 'auditLog.ndjson' ? 5 : 3]);
      expect([name, lines.length, content.length, digest]).toEqual([name, rows, bytes, sha256]);
      expect([name, (await stat(join(out, name))).mode & 0o777]).toEqual([name, 0o600]);
      for (const line of lines) expect(JSON.stringify(JSON.parse(line))).toBe(line);
    }
    const audit = await readFile(join(out, 'auditLog.ndjson'), 'utf8');
    expect(audit).toContain('"after":{"roleType":5,"role":null,"email":"sealed@many.test"}');
    const [entry] = await listAudit(world.db, { action: 'database.exported' }, { limit: 2 });
    expect(entry).toMatchObject({ actorId: null, after: { format: 'gatehouse', withSecrets: false } });
  });

  it('an export has no secret unless it is told to', async () => {
    await using world = await startExportWorld(dialect);
    const cipher = createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY });
    const secrets = await fillEveryTable(world.db, cipher);
    expect(secrets.length).toBeGreaterThan(100);
    await world.run('--to', 'out');
    const out = join(world.path, 'out');
    for (const name of await readdir(out)) {
      const content = await readFile(join(out, name), 'utf8');
      expect([name, secrets.filter((secret) => content.includes(secret))]).toEqual([name, []]);
      // Nor anything that a key of the deployment encrypts.
      expect([name, content.includes('"v1.')]).toEqual([name, false]);
    }
  });

  it('an export refuses a folder with anything else, and begins anew in one that a killed export left', async () => {
    await using world = await startExportWorld(dialect);
    const out = join(world.path, 'out');
    await mkdir(out);
    await writeFile(join(out, 'members.ndjson'), 'mine');
    await expect(world.run('--to', 'out')).rejects.toThrow('holds something else (members.ndjson)');
    await writeFile(join(out, 'UNFINISHED'), '');
    await writeFile(join(out, 'notes.txt'), 'mine');
    await expect(world.run('--to', 'out')).rejects.toThrow('holds something else (notes.txt)');
    expect(await readFile(join(out, 'members.ndjson'), 'utf8')).toBe('mine');
    await rm(join(out, 'notes.txt'));
    await writeFile(join(out, 'accounts.ndjson.0123456789ab.part'), 'half');
    await chmod(out, 0o755);
    expect((await world.run('--to', 'out')).code).toBe(0);
    expect(await readdir(out)).not.toContain('UNFINISHED');
    expect(await readdir(out)).not.toContain('accounts.ndjson.0123456789ab.part');
    expect((await stat(out)).mode & 0o777).toBe(0o700);
    expect(await readFile(join(out, 'members.ndjson'), 'utf8')).toBe('');
    await expect(world.run('--to', 'out')).rejects.toThrow('holds an export that is whole');
    await writeFile(join(world.path, 'file'), '');
    await expect(world.run('--to', 'file/out')).rejects.toThrow('There is a file where a folder should be');
    expect(await world.run()).toMatchObject({ code: 2 });
  });
}
