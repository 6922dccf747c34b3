import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTestDatabase, createTestFolder, printMeasurements, rounds } from '@gatehouse/testkit/database';
import { eq, sql } from 'drizzle-orm';
import { expect, inject, it } from 'vitest';
import type { Database } from './database.js';
import { openDatabase } from './open-database.js';
import type { MixedWriterReport } from './test/mixed-writer.js';
import { runScript } from './test/run-script.js';

const dialect = inject('dialect');
const WRITES_PER_PROCESS = 200;
const KINDS = 5;
const MAX_STALL_MS = 500;

it('the embedded database loses none of 400 mixed concurrent writes of two processes, and stalls neither', {
  timeout: 600_000,
}, async () => {
  const count = rounds({ suite: 2, stress: 25 });
  const stalls: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    await using place = await createPlace();
    const { database: db } = place;
    await db.insertMany(db.tables.limits, [
      { key: 'updated', points: 0 },
      { key: 'transacted', points: 0 },
    ]);
    const startAtMs = Date.now() + 1_500;
    const reports = await Promise.all(
      ['left', 'right'].map(async (writer) =>
        parseReport(
          await runScript('mixed-writer.ts', [
            place.url,
            writer,
            String(WRITES_PER_PROCESS),
            String(startAtMs),
          ]),
        ),
      ),
    );
    expect(reports.flatMap(({ errors }) => errors)).toEqual([]);
    for (const { longestStallMs, elapsedMs } of reports) {
      stalls.push(longestStallMs);
      times.push(elapsedMs);
    }
    await expectEverything(db, reports);
  }
  expect(Math.max(...stalls)).toBeLessThan(MAX_STALL_MS);
  printMeasurements(`400 mixed writes from two processes on ${dialect}`, {
    rounds: count,
    longestStallMs: Math.max(...stalls),
    slowestProcessMs: Math.max(...times),
  });
});

async function expectEverything(db: Database, reports: readonly MixedWriterReport[]): Promise<void> {
  const { auditLog, limits, messages } = db.tables;
  const ofEachKind = WRITES_PER_PROCESS / KINDS;
  const [audit] = await db
    .select({ rows: sql<number>`count(distinct ${auditLog.requestId})` })
    .from(auditLog);
  expect(audit?.rows).toBe(2 * ofEachKind);
  const [said] = await db.select({ rows: sql<number>`count(*)` }).from(messages);
  expect(said?.rows).toBe(2 * 2 * ofEachKind);
  for (const key of ['updated', 'transacted']) {
    const [row] = await db.select({ points: limits.points }).from(limits).where(eq(limits.key, key));
    expect(row?.points).toBe(2 * ofEachKind);
  }
  const taken = reports.flatMap((report) => report.taken);
  expect(taken).toHaveLength(ofEachKind);
  expect(new Set(taken).size).toBe(ofEachKind);
}

/** The file is on a real disk here, so every commit waits for the disk. */
async function createPlace() {
  if (dialect === 'mysql') return createTestDatabase(dialect);
  const folder = await createTestFolder({ onDisk: true });
  const url = pathToFileURL(join(folder.path, 'gatehouse.db')).href;
  const database = await openDatabase(url);
  await database.migrate();
  return {
    url,
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function parseReport(printed: string): MixedWriterReport {
  return JSON.parse(printed) as MixedWriterReport;
}
