import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { accessRetention } from '@gatehouse/features/authentication/authentication-retention';
import { createTestDatabase, insertTestMember, seedTestDatabase, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from '../app.js';

const dialect = inject('dialect');
const MINUTE_MS = 60_000;

/** Nodes over one database, each with its own connections and clock. */
async function startNode(databaseUrl: string, skewMs = 0) {
  const database = await openDatabase(databaseUrl);
  const now = () => Date.now() + skewMs;
  const service = await startService(createApp, { dialect, application: 'web', database, now });
  return {
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await database.close();
    },
  };
}

type Node = Awaited<ReturnType<typeof startNode>>;

const statusOn = async ({ service }: Node, token: string) =>
  (await service.send('/auth/me', { token })).status;

/** Calls until the answers come from memory. */
async function remember(node: Node, token: string): Promise<void> {
  await expect
    .poll(async () => {
      const before = node.service.services.access.statistics.loads;
      expect(await statusOn(node, token)).toBe(200);
      return node.service.services.access.statistics.loads - before;
    })
    .toBe(0);
}

async function runRetention({ service }: Node): Promise<void> {
  while ((await accessRetention.run(service.services)) > 0);
}

const write = (db: Database, sql: string, ...params: unknown[]) =>
  db.write({ toSQL: () => ({ sql, params }) });

/** Simulates that the writing node began this long ago. */
const passTime = (db: Database, ms: number) =>
  write(db, 'update access_checkpoints set at_ms = at_ms - ?', ms);

const count = async (db: Database) => (await db.select().from(db.tables.accessChanges)).length;

describe('a node that reads the change log again after a pause', () => {
  for (const [skew, skewMs] of [
    ['65 minutes behind', -65 * MINUTE_MS],
    ['65 minutes ahead', 65 * MINUTE_MS],
  ] as const) {
    it(`refuses a member whom a node with a clock ${skew} removed, after every node has pruned the log`, async () => {
      await using own = await createTestDatabase(dialect);
      await seedTestDatabase(own.database);
      await using writer = await startNode(own.url, skewMs);
      await using pruner = await startNode(own.url);
      await using late = await startNode(own.url, -skewMs);
      await using idle = await startNode(own.url);
      const leaver = await insertTestMember(own.database, { memberships: { 1: 2 } });
      await remember(idle, leaver.token);
      const { database, services } = writer.service;
      const nowMs = services.now();
      await changeAccess(database, { members: [leaver.id] }, (tx) =>
        removeMember(tx, { memberId: leaver.id, nowMs }),
      );
      for (const node of [pruner, late, writer]) await runRetention(node);
      expect(await statusOn(idle, leaver.token)).toBe(401);
    });
  }

  it('refuses a member whom another node removed, although the log was pruned before it was read', async () => {
    await using own = await createTestDatabase(dialect);
    const { database: db } = own;
    await seedTestDatabase(db);
    await using writer = await startNode(own.url);
    await using idle = await startNode(own.url);
    const leaver = await insertTestMember(db, { memberships: { 1: 2 } });
    await remember(idle, leaver.token);
    await changeAccess(db, { members: [leaver.id] }, (tx) =>
      removeMember(tx, { memberId: leaver.id, nowMs: Date.now() }),
    );
    await changeAccess(db, { accounts: [2, 3] }, () => Promise.resolve());
    await passTime(db, 61 * MINUTE_MS);
    await runRetention(writer);
    await passTime(db, 61 * MINUTE_MS);
    await runRetention(writer);
    expect(await count(db)).toBe(1);
    expect(await statusOn(idle, leaver.token)).toBe(401);
  });

  it('refuses a member whom another node removed, although the log was emptied by hand', async () => {
    await using own = await createTestDatabase(dialect);
    const { database: db } = own;
    await seedTestDatabase(db);
    await using idle = await startNode(own.url);
    const leaver = await insertTestMember(db, { memberships: { 1: 2 } });
    const other = await insertTestMember(db, { memberships: { 1: 2 } });
    await remember(idle, leaver.token);
    await remember(idle, other.token);
    const remove = (memberId: number) =>
      changeAccess(db, { members: [memberId] }, (tx) => removeMember(tx, { memberId, nowMs: Date.now() }));
    await remove(leaver.id);
    await db.write(db.delete(db.tables.accessChanges));
    expect(await statusOn(idle, leaver.token)).toBe(401);
    await remove(other.id);
    await db.write(db.delete(db.tables.accessChanges));
    expect(await statusOn(idle, other.token)).toBe(401);
  });
});
