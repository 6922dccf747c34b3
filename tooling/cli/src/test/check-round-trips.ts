import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp } from '@gatehouse/api-main/app';
import { toBase32 } from '@gatehouse/auth-core';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { reportNode } from '@gatehouse/db/queries/read-statistics';
import { SKIPPED_IDS } from '@gatehouse/db/queries/skip-ids';
import { openAuditRows } from '@gatehouse/features/audit/list-audit';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { startService, type TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { doctor } from '../commands/doctor.js';
import { importRows } from '../commands/import-rows.js';
import { makeExportKey } from '../export/export-cipher.js';
import { writeImportedTables } from '../export/write-imported-tables.js';
import { expectSignIn } from './expect-foreign-sign-in.js';
import { type ExportWorld, manifestIn, startExportWorld } from './export-world.js';
import { fillEveryTable } from './fill-every-table.js';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

const STRANGER = {
  sid: 's',
  sidKey: 's',
  username: 's',
  usernameKey: 's',
  firstName: 'S',
  firstNameKey: 's',
  lastName: 'S',
  lastNameKey: 's',
  password: 'none',
  roleType: 5,
  role: 'member',
  createdAtMs: 1,
  updatedAtMs: 1,
};

const anotherKey = () => ({ DATA_ENCRYPTION_KEY: makeExportKey() });

/**
 * Expects that both folders contain the same, except the time of the export, its code, and the two later lines of the audit log.
 */
async function expectSame(first: string, second: string): Promise<void> {
  const [before, after] = [await manifestIn(first), await manifestIn(second)];
  const added = { 'auditLog.ndjson': after.files['auditLog.ndjson'] };
  const changed = { exportedAt: '', mac: '' };
  expect({ ...after, ...changed, files: { ...after.files, ...added } }).toEqual({
    ...before,
    ...changed,
    files: { ...before.files, ...added },
  });
  for (const name of Object.keys(before.files)) {
    const [was, is] = [await readFile(join(first, name), 'utf8'), await readFile(join(second, name), 'utf8')];
    if (name !== 'auditLog.ndjson') expect([name, is]).toEqual([name, was]);
    else {
      expect(is.startsWith(was)).toBe(true);
      const lines = is.slice(was.length).trim().split('\n');
      expect(lines.map((line) => /"action":"([^"]*)"/.exec(line)?.[1])).toEqual([
        'database.imported',
        'database.exported',
      ]);
    }
  }
}

/** A world with rows in every table that exported them to `first`, under a key in `key`. */
async function startExported(dialect: TestDialect, ...args: string[]): Promise<ExportWorld> {
  const world = await startExportWorld(dialect);
  await fillEveryTable(world.db, world.cipher);
  await writeFile(join(world.path, 'key'), `${makeExportKey()}\n`);
  expect((await world.exportTo('first', ...args)).code).toBe(0);
  return world;
}

/** What an export from one database guarantees to an import into another. */
export function checkRoundTrips(from: TestDialect, to: TestDialect): void {
  it('what was exported, imported and exported again is the same byte for byte', async () => {
    await using source = await startExported(from);
    await using target = await startExportWorld(to, anotherKey());
    const first = join(source.path, 'first');
    const dry = await target.importFrom(first, '--dry-run');
    expect(dry).toMatchObject({ code: 0, said: expect.stringContaining('Nothing was written.') });
    const { code, said } = await target.importFrom(first);
    expect([code, said]).toEqual([0, expect.stringContaining('The export has no secrets')]);
    expect((await target.run(doctor)).said).not.toContain('import: ');
    expect((await target.exportTo('second')).code).toBe(0);
    await expectSame(first, join(target.path, 'second'));
    const rows = await listAudit(target.db, { action: 'member.changed' }, { limit: 1 });
    expect(JSON.stringify(rows)).not.toContain('sealed@many.test');
    const [opened] = await openAuditRows({ db: target.db, cipher: target.cipher }, rows);
    expect(opened?.after).toEqual({ roleType: 5, role: null, email: 'sealed@many.test' });
  });

  it('a row of more than 1 MB is exported and imported whole', async () => {
    await using source = await startExportWorld(from);
    await using target = await startExportWorld(to);
    await fillEveryTable(source.db, source.cipher);
    const [message] = await source.db.select().from(source.db.tables.messages).limit(1);
    const body = '"\\🌊\n'.repeat(140_000);
    await changeColumn(source.db, { table: 'messages', column: 'body', id: message?.id ?? 0 }, body);
    expect((await source.exportTo('first')).code).toBe(0);
    expect((await target.importFrom(join(source.path, 'first'))).code).toBe(0);
    expect((await target.exportTo('second')).code).toBe(0);
    await expectSame(join(source.path, 'first'), join(target.path, 'second'));
    expect(await readFile(join(target.path, 'second', 'messages.ndjson'), 'utf8')).toContain(
      JSON.stringify(body),
    );
  });

  it('secrets are the same byte for byte too, in a deployment with another key', async () => {
    const sealing = ['--with-secrets', '--key-file'];
    await using source = await startExported(from, ...sealing, 'key');
    await using target = await startExportWorld(to, anotherKey());
    const [first, key] = [join(source.path, 'first'), join(source.path, 'key')];
    await expect(target.importFrom(first)).rejects.toThrow('name the file with its key in --key-file');
    await writeFile(join(target.path, 'wrong'), makeExportKey());
    await expect(target.importFrom(first, '--key-file', 'wrong')).rejects.toThrow('is not the one of this');
    expect((await target.importFrom(first, '--key-file', key)).code).toBe(0);
    expect((await target.exportTo('second', ...sealing, key)).code).toBe(0);
    await expectSame(first, join(target.path, 'second'));
    const [was, is] = await Promise.all(
      [source, target].map(async ({ db }) => db.select().from(db.tables.members)),
    );
    expect(is?.map(({ password }) => password)).toEqual(was?.map(({ password }) => password));
    // No earlier token is valid.
    for (const { tokensValidAfterMs, authTokenDigest } of is ?? [])
      expect([Date.now() - tokensValidAfterMs < 60_000, authTokenDigest]).toEqual([true, null]);
    const { tables } = target.db;
    expect(await target.db.select().from(tables.sessions)).toEqual([]);
    await expect(target.importFrom(first, '--key-file', key)).rejects.toThrow('The database is not empty');
  });

  it('nobody who registers after an import gets the id of a member added to the old deployment after the export', async () => {
    await using source = await startExported(from);
    await using target = await startExportWorld(to, anotherKey());
    expect((await target.importFrom(join(source.path, 'first'))).code).toBe(0);
    const { db } = target;
    const { accounts, members, partners } = db.tables;
    expect(await db.insert(members, STRANGER)).toBeGreaterThan(SKIPPED_IDS);
    const named = { name: 'a', nameKey: 'a', ownerId: 1, createdAtMs: 1, updatedAtMs: 1 };
    expect(await db.insert(accounts, named)).toBeGreaterThan(SKIPPED_IDS);
    // A token that was made while the import ran is no more valid than an earlier one.
    const [imported] = await listAudit(db, { action: 'database.imported' }, { limit: 1 });
    const startedAtMs = imported?.atMs ?? Number.NaN;
    for (const table of [members, partners]) {
      const { id, tokensValidAfterMs } = table;
      const came = (await db.select({ id, tokensValidAfterMs }).from(table)).filter((row) => row.id <= 3);
      expect(came).toHaveLength(3);
      for (const row of came) expect(row.tokensValidAfterMs).toBeGreaterThan(startedAtMs);
    }
  });

  it('nobody who registers during an interrupted import gets the id of a member', async () => {
    await using source = await startExported(from);
    await using target = await startExportWorld(to);
    const folder = join(source.path, 'first');
    const { db, cipher } = target;
    const { members, memberships } = db.tables;
    const manifest = await manifestIn(folder);
    const last = Object.values(manifest.files).reduce((sum, { rows }) => sum + rows, 0) - 3;
    let written = 0;
    const advance = (rows: number) => {
      written += rows;
      if (written === last) throw new Error('stopped');
    };
    const input = { db, cipher, exported: undefined, folder, manifest, nowMs: Date.now(), advance };
    await expect(writeImportedTables(input)).rejects.toThrow('stopped');
    expect(await db.select().from(members)).toEqual([]);
    expect(await db.select().from(memberships)).toHaveLength(3);
    expect(await db.insert(members, STRANGER)).toBe(3 + SKIPPED_IDS + 1);
  });

  it('an import is refused while a service runs on the database', async () => {
    await using source = await startExported(from);
    await using target = await startExportWorld(to);
    const node = { name: 'node-1', service: 'api-main', slowestMs: 0 };
    await reportNode(target.db, node, { nowMs: Date.now(), goneBeforeMs: 0 });
    const first = join(source.path, 'first');
    await expect(target.importFrom(first)).rejects.toThrow('A service runs on this database');
    await reportNode(target.db, node, { nowMs: Date.now() - 61_000, goneBeforeMs: 0 });
    expect((await target.importFrom(first)).code).toBe(0);
  });

  it('an export with secrets that was changed is refused, even when its digests were changed with it', async () => {
    await using source = await startExported(from, '--with-secrets', '--key-file', 'key');
    await using target = await startExportWorld(to);
    const [first, key] = [join(source.path, 'first'), join(source.path, 'key')];
    const [members, manifest] = [join(first, 'members.ndjson'), join(first, 'manifest.json')];
    const [text, whole] = [await readFile(members, 'utf8'), await manifestIn(first)];
    const changed = text.replace('"isPersonnel":false', '"isPersonnel":true');
    expect(changed).not.toBe(text);
    await writeFile(members, changed);
    const file = { rows: 3, bytes: Buffer.byteLength(changed), sha256: digestOf(changed) };
    const files = { ...whole.files, 'members.ndjson': file };
    const refused = 'The manifest was changed after the export';
    for (const forged of [
      { ...whole, files },
      { ...whole, files, mac: null },
      { ...whole, files, mac: digestOf('') },
    ]) {
      await writeFile(manifest, JSON.stringify(forged));
      await expect(target.importFrom(first, '--key-file', key)).rejects.toThrow(refused);
    }
    await writeFile(manifest, JSON.stringify({ ...whole, exportedAt: new Date(0).toISOString() }));
    await expect(target.importFrom(first, '--key-file', key)).rejects.toThrow(refused);
    await writeFile(manifest, JSON.stringify({ ...whole, files, sealedWith: null, mac: null }));
    await expect(target.importFrom(first, '--key-file', key)).rejects.toThrow('The export has no secrets');
    expect(await target.db.select().from(target.db.tables.accounts)).toEqual([]);
    await writeFile(members, text);
    await writeFile(manifest, JSON.stringify(whole));
    expect((await target.importFrom(first, '--key-file', key)).code).toBe(0);
  });

  it('a file that is changed after it was checked is found before members are written', async () => {
    await using source = await startExported(from);
    await using target = await startExportWorld(to);
    const folder = join(source.path, 'first');
    const manifest = await manifestIn(folder);
    const { db, cipher } = target;
    const advance = () => undefined;
    const input = { db, cipher, exported: undefined, folder, manifest, nowMs: Date.now(), advance };
    const path = join(folder, 'passkeys.ndjson');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"counter":', '"counter":1'));
    await expect(writeImportedTables(input)).rejects.toThrow(
      'passkeys.ndjson was changed after it was checked',
    );
    expect(await db.select().from(db.tables.passkeys)).toEqual([]);
    expect(await db.select().from(db.tables.members)).toEqual([]);
    const { code, said } = await target.run(doctor);
    expect([code, said]).toEqual([1, expect.stringContaining('FIX  import: An import into this database')]);
  });

  it('a member signs in with the old password and the old authenticator app', async () => {
    await using source = await startExportWorld(from);
    const person = {
      email: 'ada@many.test',
      password: 'Lantern-Harbor-42',
      totp: toBase32(randomBytes(20)),
      oddity: 'plain',
      isDisabled: false,
      providers: {},
    } as const;
    const { email, password: plainPassword, totp: secret } = person;
    const lines = [
      { member: { id: 1, sid: email, username: 'ada', role_type: 5, plainPassword, confirmed: true } },
      { totp: { memberId: 1, secret } },
    ];
    await writeFile(
      join(source.path, 'rows.ndjson'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    expect((await source.run(importRows, 'rows.ndjson')).code).toBe(0);
    const { said } = await source.exportTo('first', '--with-secrets');
    const key = join(source.path, 'key');
    await writeFile(key, /shown only now: (\S+)/.exec(said)?.[1] ?? '');
    const other = anotherKey();
    await using target = await startExportWorld(to, other);
    expect((await target.importFrom(join(source.path, 'first'), '--key-file', key)).code).toBe(0);
    await using service = await startService(createApp, {
      dialect: to,
      application: 'web',
      database: target.db,
      env: other,
    });
    await expectSignIn({ service }, person);
  });

  it('an export that was changed, damaged or not finished is refused, and nothing is written', async () => {
    await using source = await startExported(from);
    await using target = await startExportWorld(to);
    const first = join(source.path, 'first');
    const [members, manifest] = [join(first, 'members.ndjson'), join(first, 'manifest.json')];
    const [text, whole] = [await readFile(members, 'utf8'), await readFile(manifest, 'utf8')];
    const refused = (message: string) => expect(target.importFrom(first)).rejects.toThrow(message);
    await writeFile(members, text.replace('"roleType":', '"roleType" :'));
    await refused('members.ndjson is not as the manifest says');
    await writeFile(members, text.slice(0, text.indexOf('\n') + 1));
    await refused('It has 1 lines of');
    await rename(members, join(first, 'elsewhere'));
    await symlink(join(first, 'elsewhere'), members);
    await refused('members.ndjson is a link and no file');
    await rm(members);
    await writeFile(members, text);
    await writeFile(manifest, whole.slice(0, -30));
    await refused('manifest.json is not the manifest of an export');
    await writeFile(manifest, whole.replace('members.ndjson', '../../etc/passwd'));
    await refused('names a file that no export has: "../../etc/passwd"');
    await writeFile(manifest, whole.replace(/"schema": "./, '"schema": "x'));
    await refused('was made by another release');
    await rm(manifest);
    await refused('There is no manifest.json in');
    const { tables } = target.db;
    expect(await target.db.select().from(tables.accounts)).toEqual([]);
    expect(await target.db.select().from(tables.auditLog)).toEqual([]);
  });
}
