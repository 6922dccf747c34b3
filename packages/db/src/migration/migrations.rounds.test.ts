import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase, isStressRun, printMeasurements, rounds } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../open-database.js';
import { describeSchema } from '../test/describe-schema.js';
import { runScript, startScript } from '../test/run-script.js';
import { createEmptyPlace } from '../test/test-databases.js';
import { readMigrations } from './read-migrations.js';

const dialect = inject('dialect');

describe('the migrations', () => {
  it('are applied once when two processes apply them at the same time', async () => {
    for (let round = 0; round < rounds({ suite: 1, stress: 20 }); round += 1) {
      await using place = await createEmptyPlace(dialect);
      const printed = await Promise.all([
        runScript('migrate-script.ts', [place.url]),
        runScript('migrate-script.ts', [place.url]),
      ]);
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
    const count = rounds({ suite: 4, stress: 60 });
    for (let round = 0; round < count; round += 1) {
      await using place = await createEmptyPlace(dialect);
      await killDuringMigration(place.url, (round % 12) * 25);
      const db = await openDatabase(place.url);
      if ((await db.pendingMigrations()).length > 0) interrupted += 1;
      await db.migrate();
      expect(await db.pendingMigrations()).toEqual([]);
      await db.close();
      expect(await describeSchema(place.url)).toEqual(expected);
    }
    // In a few rounds the run may always end before the kill; in the full number it may not.
    if (isStressRun()) expect(interrupted).toBeGreaterThan(0);
    printMeasurements(`migrations killed on ${dialect}`, { rounds: count, interrupted });
  });
});

async function killDuringMigration(url: string, afterMs: number): Promise<void> {
  const child = await startScript('migrate-script.ts', [url]);
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  await pause(afterMs);
  child.kill('SIGKILL');
  await ended;
}
