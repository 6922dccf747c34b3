import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTestDatabase, createTestFolder, printFigures, rounds } from '@gatehouse/testkit/database';
import { createConnection } from 'mysql2/promise';
import { describe, expect, inject, it } from 'vitest';
import { findMember, openDatabase, seedDemonstration } from '../index.js';
import { describeSchema, openDriver } from '../test/describe-schema.js';
import { applyMigrations } from './apply-migrations.js';
import type { Migration } from './migration.js';
import { whileRunning } from './migration-progress.js';
import { readMigrations } from './read-migrations.js';

const dialect = inject('dialect');
const SCRIPT = fileURLToPath(new URL('../test/migrate-script.ts', import.meta.url));

describe('the migrations', () => {
  it('leave nothing to do when they are applied again, and what was stored untouched', async () => {
    await using place = await createEmptyPlace();
    const db = await openDatabase(place.url);
    const all = (await readMigrations(dialect)).map(({ name }) => name);
    expect(await db.pendingMigrations()).toEqual(all);
    expect(await db.migrate()).toEqual({ applied: all, total: all.length });
    expect(await db.pendingMigrations()).toEqual([]);
    await seedDemonstration(db, { passwordHash: 'h', legacyPassword: 'l', partnerSecret: 's', nowMs: 1 });
    const before = await describeSchema(place.url);
    expect(await db.migrate()).toEqual({ applied: [], total: all.length });
    expect(await describeSchema(place.url)).toEqual(before);
    expect(await findMember(db, 3)).toMatchObject({ email: 'owner@acme.test' });
    await db.close();
  });

  it('bring a database that was filled at its first version up to date', async () => {
    await using place = await createEmptyPlace();
    const driver = await openDriver(place.url);
    const all = await readMigrations(dialect);
    await applyMigrations(driver, all.slice(0, 1));
    await driver.write(
      `insert into accounts (name, name_key, owner_id, created_at_ms, updated_at_ms) values ('Old', 'old', 1, 1, 1)`,
      [],
    );
    expect(await applyMigrations(driver, all)).toEqual({
      applied: all.slice(1).map(({ name }) => name),
      total: all.length,
    });
    expect(await driver.read('select name, owner_id, is_deleted from accounts', [])).toEqual([['Old', 1, 0]]);
    await driver.close();
    await using fresh = await createTestDatabase(dialect);
    expect(await columnsOnly(place.url)).toEqual(await columnsOnly(fresh.url));
  });

  it('are applied once when two processes apply them at the same time', async () => {
    for (let round = 0; round < rounds({ suite: 1, prove: 20 }); round += 1) {
      await using place = await createEmptyPlace();
      const printed = await Promise.all([migrateInProcess(place.url), migrateInProcess(place.url)]);
      const total = (await readMigrations(dialect)).length;
      expect(printed.sort()).toEqual(['ready\napplied 0\n', `ready\napplied ${total}\n`]);
    }
  });

  it('are completed by the next run when a process is killed in the middle', {
    timeout: 600_000,
  }, async () => {
    await using whole = await createTestDatabase(dialect);
    const expected = await describeSchema(whole.url);
    let interrupted = 0;
    const count = rounds({ suite: 4, prove: 60 });
    for (let round = 0; round < count; round += 1) {
      await using place = await createEmptyPlace();
      await killDuringMigration(place.url, (round % 12) * 25);
      const db = await openDatabase(place.url);
      if ((await db.pendingMigrations()).length > 0) interrupted += 1;
      await db.migrate();
      expect(await db.pendingMigrations()).toEqual([]);
      await db.close();
      expect(await describeSchema(place.url)).toEqual(expected);
    }
    expect(interrupted).toBeGreaterThan(0);
    printFigures(`migrations killed on ${dialect}`, { rounds: count, interrupted });
  });

  it('are refused when one was edited after it was applied', async () => {
    await using place = await createEmptyPlace();
    const driver = await openDriver(place.url);
    const first: Migration = { name: '0000_a', sha256: 'one', statements: ['create table a (id integer)'] };
    await applyMigrations(driver, [first]);
    await expect(applyMigrations(driver, [{ ...first, sha256: 'two' }])).rejects.toThrow('edited');
    await driver.close();
  });
});

describe.runIf(dialect === 'mysql')('a migration that was interrupted on MySQL', () => {
  const migration: Migration = {
    name: '0000_three_steps',
    sha256: 'same',
    statements: [
      'create table steps (id integer, note varchar(10))',
      `insert into steps values (1, 'once')`,
      'create index steps_id_index on steps (id)',
    ],
  };

  it('goes on after a statement whose effect is there but was not noted', async () => {
    await using place = await createEmptyPlace();
    const driver = await openDriver(place.url);
    await applyMigrations(driver, [migration]);
    await driver.write('update gatehouse_migrations set statements_done = ?', [whileRunning(2)]);
    expect(await applyMigrations(driver, [migration])).toEqual({ applied: ['0000_three_steps'], total: 1 });
    expect(await driver.read('select * from steps', [])).toEqual([[1, 'once']]);
    await driver.close();
  });

  it('fails on a statement whose effect is there for another reason, however often it is run', async () => {
    await using place = await createEmptyPlace();
    const driver = await openDriver(place.url);
    await applyMigrations(driver, [{ ...migration, statements: migration.statements.slice(0, 1) }]);
    await driver.write('create index steps_id_index on steps (id)', []);
    await driver.write('update gatehouse_migrations set statements_done = 1', []);
    for (let run = 0; run < 3; run += 1) {
      await expect(applyMigrations(driver, [migration])).rejects.toThrow('Duplicate key name');
    }
    expect(await driver.read('select * from steps', [])).toEqual([[1, 'once']]);
    await driver.close();
  });

  it('notes a change of rows together with the change', async () => {
    await using place = await createEmptyPlace();
    const driver = await openDriver(place.url);
    const failing = {
      ...migration,
      statements: [...migration.statements.slice(0, 2), 'insert into nowhere values (1)'],
    };
    await expect(applyMigrations(driver, [failing])).rejects.toThrow();
    expect(await driver.read('select statements_done from gatehouse_migrations', [])).toEqual([[2]]);
    await expect(applyMigrations(driver, [failing])).rejects.toThrow();
    expect(await driver.read('select * from steps', [])).toEqual([[1, 'once']]);
    await driver.close();
  });
});

/** A database in which nothing has been made yet. */
async function createEmptyPlace(): Promise<AsyncDisposable & { readonly url: string }> {
  if (dialect === 'libsql') {
    const folder = await createTestFolder();
    const url = pathToFileURL(join(folder.path, 'empty.db')).href;
    return { url, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  }
  const server = process.env['TEST_MYSQL_URL'] ?? '';
  const name = `gatehouse_empty_${Math.random().toString(36).slice(2)}`;
  const ask = async (sql: string) => {
    const connection = await createConnection(server);
    await connection.query(sql, [name]);
    await connection.end();
  };
  await ask('create database ??');
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, [Symbol.asyncDispose]: () => ask('drop database ??') };
}

function startScript(url: string) {
  return spawn(process.execPath, ['--import', 'tsx', '--conditions=@gatehouse/source', SCRIPT, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function migrateInProcess(url: string): Promise<string> {
  const child = startScript(url);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await once(child, 'close');
  return printed;
}

async function killDuringMigration(url: string, afterMs: number): Promise<void> {
  const child = startScript(url);
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  await pause(afterMs);
  child.kill('SIGKILL');
  await ended;
}

/** Tables made in several steps may write their columns differently in SQLite, so only names are compared there. */
async function columnsOnly(url: string): Promise<string[]> {
  const rows = await describeSchema(url);
  return dialect === 'mysql' ? rows : rows.map((row) => row.split(' ').slice(0, 2).join(' '));
}
