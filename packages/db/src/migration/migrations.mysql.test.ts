import { describe, expect, it } from 'vitest';
import { openDriver } from '../test/describe-schema.js';
import { createEmptyPlace } from '../test/test-databases.js';
import type { Migration } from './apply-migrations.js';
import { applyMigrations, whileRunning } from './apply-migrations.js';

describe('a migration that was interrupted on MySQL', () => {
  const migration: Migration = {
    name: '0000_three_steps',
    sha256: 'same',
    statements: [
      'create table steps (id integer, note varchar(10))',
      `insert into steps values (1, 'once')`,
      'create index steps_id_index on steps (id)',
    ],
  };

  it('continues after a statement that took effect but was not recorded', async () => {
    await using place = await createEmptyPlace('mysql');
    const driver = await openDriver(place.url);
    await applyMigrations(driver, [migration]);
    await driver.write('update gatehouse_migrations set statements_done = ?', [whileRunning(2)]);
    expect(await applyMigrations(driver, [migration])).toEqual({ applied: ['0000_three_steps'], total: 1 });
    expect(await driver.read('select * from steps', [])).toEqual([[1, 'once']]);
    await driver.close();
  });

  it('fails on a statement whose effect exists for another reason, however often it is run', async () => {
    await using place = await createEmptyPlace('mysql');
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

  it('records a change of rows together with the change', async () => {
    await using place = await createEmptyPlace('mysql');
    const driver = await openDriver(place.url);
    const failing = {
      ...migration,
      statements: [...migration.statements.slice(0, 2), 'insert into nowhere values (1)'],
    };
    await expect(applyMigrations(driver, [failing])).rejects.toThrow('nowhere');
    expect(await driver.read('select statements_done from gatehouse_migrations', [])).toEqual([[2]]);
    await expect(applyMigrations(driver, [failing])).rejects.toThrow('nowhere');
    expect(await driver.read('select * from steps', [])).toEqual([[1, 'once']]);
    await driver.close();
  });
});
