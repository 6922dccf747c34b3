import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, it } from 'vitest';
import type { Database } from '../database.js';
import { openLibsqlConnection } from '../dialect/libsql/libsql-connection.js';
import { openDatabase } from '../open-database.js';
import { embeddedPath } from '../open-options.js';
import { claimDeliveries, setOutcomes } from './event-deliveries.js';
import { claimMails } from './mail-queue.js';
import { claimWebhooks } from './process-webhooks.js';

const NOW_MS = 1_800_000_000_000;
const CLAIM = { leaseToken: 'token', leaseUntilMs: NOW_MS + 1_000, limit: 10, nowMs: NOW_MS };

/** Inserts ten rows. */
async function tenOf(insert: (turn: number) => Promise<number>): Promise<number[]> {
  const ids: number[] = [];
  for (let turn = 1; turn <= 10; turn += 1) ids.push(await insert(turn));
  return ids;
}

const insertDeliveries = (db: Database) =>
  tenOf((turn) =>
    db.insert(db.tables.eventDeliveries, {
      endpointId: 1,
      position: turn,
      eventId: `event ${turn}`,
      type: 'member.updated',
      subject: `member:${turn}`,
      state: 'pending',
      attempts: [],
      queuedAtMs: NOW_MS,
      dueAtMs: NOW_MS,
      createdAtMs: NOW_MS,
    }),
  );

const insertMails = (db: Database) =>
  tenOf((turn) =>
    db.insert(db.tables.mailOutbox, {
      idempotencyKey: `mail ${turn}`,
      kind: 'activation',
      recipient: 'somebody@many.test',
      subject: '',
      text: '',
      html: '',
      state: 'pending',
      dueAtMs: NOW_MS,
      createdAtMs: NOW_MS,
    }),
  );

const insertWebhooks = (db: Database) =>
  tenOf((turn) =>
    db.insert(db.tables.webhookLog, {
      provider: 'stripe',
      endpoint: 'default',
      dedupeKey: `event ${turn}`,
      body: '{}',
      bodyBytes: 2,
      digest: 'digest',
      status: 'received',
      dueAtMs: NOW_MS,
      address: '192.0.2.1',
      receivedAtMs: NOW_MS,
    }),
  );

/** The statements of a task that have a list of ids and search by something else, each with its plan. */
async function searchesNotById(fill: (db: Database) => Promise<number[]>, task: Task): Promise<string[]> {
  await using test = await createTestDatabase('libsql');
  const ids = await fill(test.database);
  const statements = new Set<string>();
  const db = await openDatabase(test.url, {}, (sql, run) => {
    statements.add(sql);
    return run();
  });
  await task(db, ids);
  await db.close();
  const withIds = [...statements].filter((sql) => /"id" in \(\?, /.test(sql));
  expect(withIds).not.toEqual([]);
  const connection = openLibsqlConnection(embeddedPath(test.url));
  const plans = withIds.map((sql) => {
    const nothing = sql.match(/\?/g)?.map(() => null) ?? [];
    const details = connection.read(`explain query plan ${sql}`, nothing).map((row) => String(row.at(-1)));
    return { sql, plan: details[0] ?? '' };
  });
  connection.close();
  return plans.flatMap(({ sql, plan }) => (plan.includes('INTEGER PRIMARY KEY') ? [] : `${plan}: ${sql}`));
}

type Task = (db: Database, ids: readonly number[]) => Promise<unknown>;

describe('the embedded database finds rows whose ids are known by these ids, however many others are in the same state', () => {
  it.each<[string, (db: Database) => Promise<number[]>, Task]>([
    ['deliveries to claim', insertDeliveries, (db) => claimDeliveries(db, 1, CLAIM)],
    [
      'deliveries to record',
      insertDeliveries,
      (db, ids) =>
        setOutcomes(
          db,
          'token',
          ids.map((id) => ({ id, state: 'delivered', failures: 0, attempts: [], deliveredAtMs: NOW_MS })),
        ),
    ],
    ['mails to claim', insertMails, (db) => claimMails(db, CLAIM)],
    ['webhooks to claim', insertWebhooks, (db) => claimWebhooks(db, { ...CLAIM, leaseMs: 1_000 })],
  ])('%s', async (_, fill, task) => {
    expect(await searchesNotById(fill, task)).toEqual([]);
  });
});
