import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataCipher } from '@gatehouse/auth-core';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import type { TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { exportData } from '../commands/export-data.js';
import { makeExportKey } from '../export/export-cipher.js';
import { manifestIn, startExportWorld } from './export-world.js';
import { fillEveryTable } from './fill-every-table.js';

/** What an export guarantees, on one database. */
export function checkExports(dialect: TestDialect): void {
  it('an export has a line for each row, is readable only by its owner, and has correct counts and digests', async () => {
    await using world = await startExportWorld(dialect);
    await fillEveryTable(world.db, world.cipher);
    const { code, said } = await world.exportTo('out');
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

  it('an export has no secret unless requested', async () => {
    await using world = await startExportWorld(dialect);
    const secrets = await fillEveryTable(world.db, world.cipher);
    expect(secrets.length).toBeGreaterThan(100);
    await world.exportTo('out');
    const out = join(world.path, 'out');
    for (const name of await readdir(out)) {
      const content = await readFile(join(out, name), 'utf8');
      expect([name, secrets.filter((secret) => content.includes(secret))]).toEqual([name, []]);
      // Nor anything that a key of the deployment encrypts.
      expect([name, content.includes('"v1.')]).toEqual([name, false]);
    }
  });

  it('an export with secrets shows its key once, and contains no secret that is not encrypted under it', async () => {
    await using world = await startExportWorld(dialect);
    const secrets = await fillEveryTable(world.db, world.cipher);
    const { code, said } = await world.exportTo('out', '--with-secrets');
    expect(code).toBe(0);
    const key = /shown only now: ([A-Za-z0-9+/]{43}=)$/m.exec(said)?.[1] ?? 'none';
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    const out = join(world.path, 'out');
    expect((await manifestIn(out)).sealedWith).toMatch(/^[0-9a-f]{16}$/);
    for (const name of await readdir(out)) {
      const content = await readFile(join(out, name), 'utf8');
      expect([name, [...secrets, key].filter((secret) => content.includes(secret))]).toEqual([name, []]);
      expect([name, content.includes('"v1.')]).toEqual([name, false]);
    }
    expect(await readFile(join(out, 'members.ndjson'), 'utf8')).toContain('"password":"x1.');
    await expect(world.exportTo('other', '--with-secrets', '--key-file', 'none')).rejects.toThrow('ENOENT');
    await writeFile(join(world.path, 'short'), 'c2hvcnQ=');
    await expect(world.exportTo('other', '--with-secrets', '--key-file', 'short')).rejects.toThrow(
      'is 32 bytes in base64',
    );
  });

  it('an export leaves out secrets that no key can decrypt, says so, and exits with 1', async () => {
    await using world = await startExportWorld(dialect);
    await fillEveryTable(world.db, createDataCipher({ key: makeExportKey() }));
    const { auditLog } = world.db.tables;
    await world.db.write(world.db.delete(auditLog));
    const { code, said } = await world.exportTo('out', '--with-secrets');
    expect(code).toBe(1);
    expect(said).toContain('partnerSecrets: 3 secrets are left out, because no key');
    expect(said).toContain('totpFactors: 6 secrets are left out');
  });

  it('an export under the key of another deployment is refused', async () => {
    await using world = await startExportWorld(dialect);
    await fillEveryTable(world.db, createDataCipher({ key: makeExportKey() }));
    await expect(world.exportTo('out')).rejects.toThrow('DATA_ENCRYPTION_KEY');
    expect(await readdir(join(world.path, 'out'))).not.toContain('manifest.json');
  });

  it('an export refuses a folder with other files, and starts over in one that a killed export left', async () => {
    await using world = await startExportWorld(dialect);
    const out = join(world.path, 'out');
    await mkdir(out);
    await writeFile(join(out, 'members.ndjson'), 'mine');
    await expect(world.exportTo('out')).rejects.toThrow('holds something else (members.ndjson)');
    await writeFile(join(out, 'UNFINISHED'), '');
    await writeFile(join(out, 'notes.txt'), 'mine');
    await expect(world.exportTo('out')).rejects.toThrow('holds something else (notes.txt)');
    expect(await readFile(join(out, 'members.ndjson'), 'utf8')).toBe('mine');
    await rm(join(out, 'notes.txt'));
    await rm(join(out, 'UNFINISHED'));
    await writeFile(join(world.path, 'elsewhere'), 'mine');
    await symlink(join(world.path, 'elsewhere'), join(out, 'UNFINISHED'));
    await expect(world.exportTo('out')).rejects.toThrow('There is a link where a file should be');
    expect(await readFile(join(world.path, 'elsewhere'), 'utf8')).toBe('mine');
    await rm(join(out, 'UNFINISHED'));
    await writeFile(join(out, 'UNFINISHED'), '');
    await writeFile(join(out, 'accounts.ndjson.0123456789ab.part'), 'half');
    await chmod(out, 0o755);
    expect((await world.exportTo('out')).code).toBe(0);
    expect(await readdir(out)).not.toContain('UNFINISHED');
    expect(await readdir(out)).not.toContain('accounts.ndjson.0123456789ab.part');
    expect((await stat(out)).mode & 0o777).toBe(0o700);
    expect(await readFile(join(out, 'members.ndjson'), 'utf8')).toBe('');
    await expect(world.exportTo('out')).rejects.toThrow('holds an export that is whole');
    await writeFile(join(world.path, 'file'), '');
    await expect(world.exportTo('file/out')).rejects.toThrow('There is a file where a folder should be');
    expect(await world.run(exportData)).toMatchObject({ code: 2 });
  });
}
