import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import { insertTestMember, rounds, type SpawnedService, spawnService } from '@gatehouse/testkit';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Received, startEventReceiver } from './event-receiver.js';

const CHANGES = rounds({ suite: 60, stress: 10_000 });

const KILLS = rounds({ suite: 2, stress: 10 });

/** Each has an endpoint, and a writer who sends one change after another to both nodes in turn. */
const ACCOUNTS = [1, 2, 3] as const;

const NODES = 2;

/** The number of an endpoint's deliveries that a node sends before it records their receipt. */
const BATCH = 8;

const PATIENCE_MS = 120_000;

const RENAMED = 'account.renamed';

const named = z.object({ name: z.string() });

const page = z.object({ data: z.array(z.object({ id: z.string() })), nextCursor: z.string() });

/** The result of the changes. */
interface Told {
  readonly changes: number;
  readonly kills: number;
  /** Deliveries that came again. */
  readonly doubles: number;
}

interface Telling {
  readonly db: Database;
  readonly node: SpawnedService;
  readonly token: string;
  readonly received: readonly Received[];
}

/**
 * Renames accounts over two nodes while these are killed in turn with the database, and expects an event for each change and for
 * nothing else, in each feed and at each endpoint, in the order of the changes, and no gap between places.
 * @param db has the demonstration data
 * @param urls where nodes find the database, one after the other
 * @param killDatabase kills the database, or a part of it, and starts it again; absent if it dies with the node
 */
export async function changeThroughKills(
  { urls, db }: { readonly urls: readonly [string, ...string[]]; readonly db: Database },
  killDatabase?: (time: number) => Promise<void>,
): Promise<Told> {
  const member = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1, 2: 1, 3: 1 } });
  const secrets = new Map<number | null, string>();
  let unsigned = 0;
  await using receiver = await startEventReceiver((delivery) => {
    try {
      delivery.verify(secrets.get(delivery.event.accountId) ?? '');
    } catch {
      unsigned += 1;
    }
    return { status: 204 };
  });
  const start = (which: number) =>
    spawnService('api-main', { databaseUrl: urls[which % urls.length] ?? urls[0] });
  await using one = await start(0);
  await using other = await start(1);
  const nodes: SpawnedService[] = [one, other];
  const nodeAt = (turn: number): SpawnedService => {
    const node = nodes[turn % NODES];
    if (node === undefined) throw new Error('there is no node');
    return node;
  };
  for (const accountId of ACCOUNTS) {
    const body = { url: receiver.url, types: ['account.*'] };
    const saved = await nodeAt(0).send('/v1/eventEndpoint/save', { token: member.token, accountId, body });
    secrets.set(accountId, z.object({ secret: z.string() }).parse(await saved.json()).secret);
  }

  const acknowledged: string[] = [];
  let isOver = false;
  const write = async (accountId: number): Promise<void> => {
    for (let turn = 0; acknowledged.length < CHANGES && !isOver; turn += 1) {
      const name = `Account ${accountId}, ${turn}`;
      const answer = await nodeAt(turn)
        .send('/v1/account/rename', { token: member.token, accountId, body: { name } })
        .catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(name);
      // It is unknown whether a change without an answer was made.
      else if (answer === undefined || answer.status === 503) await pause(50);
      else throw new Error(`a change was answered ${answer.status}`);
    }
  };
  const kill = async (): Promise<void> => {
    for (let turn = 1; turn <= KILLS; turn += 1) {
      while (acknowledged.length < (CHANGES * turn) / (KILLS + 1) && !isOver) await pause(5);
      if (isOver) return;
      if (killDatabase !== undefined && turn % 2 === 0) await killDatabase(turn / 2);
      else {
        const which = (turn >> 1) % NODES;
        await nodeAt(which).kill9();
        nodes[which] = await start(which);
      }
    }
  };
  try {
    await Promise.all([...ACCOUNTS.map(write), kill()]);
    const told = await expectAllTold(
      { db, node: nodeAt(0), token: member.token, received: receiver.received },
      acknowledged,
    );
    expect(unsigned).toBe(0);
    return told;
  } finally {
    isOver = true;
    for (const node of nodes) await node[Symbol.asyncDispose]();
  }
}

/** Waits until everything is delivered, and compares it with the audit log, which is written with each change. */
async function expectAllTold(
  { db, node, token, received }: Telling,
  acknowledged: readonly string[],
): Promise<Told> {
  const { auditLog, eventDeliveries, events } = db.tables;
  const all = async () =>
    (await db.select().from(events)).toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0));
  const ofAccount = (rows: Awaited<ReturnType<typeof all>>, accountId: number) =>
    rows.filter((row) => row.type === 'account.updated' && row.accountId === accountId);
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const made = (await all()).filter(({ type }) => type === 'account.updated').length;
    const states = await db.select({ state: eventDeliveries.state }).from(eventDeliveries);
    if (states.filter(({ state }) => state === 'delivered').length === made) break;
    expect(performance.now()).toBeLessThan(endMs);
    // As if the minute were over for which a dead node holds what it has claimed.
    await db.write(db.update(eventDeliveries).set({ dueAtMs: 0 }));
    await pause(500);
  }

  const told = await all();
  expect(told.map(({ position }) => position)).toEqual(told.map((_, at) => at + 1));
  const lines = (await db.select().from(auditLog))
    .filter(({ action }) => action === RENAMED)
    .toSorted((one, other) => one.id - other.id);
  const changed = lines.map(({ accountId, after }) => ({ accountId, name: named.parse(after).name }));
  const names = new Set(changed.map(({ name }) => name));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
  for (const accountId of ACCOUNTS) {
    const own = ofAccount(told, accountId);
    const changes = changed.filter((change) => change.accountId === accountId);
    expect(own.map(({ data }) => data['name'])).toEqual(changes.map(({ name }) => name));
    expect(own.map(({ subjectVersion }) => subjectVersion)).toEqual(own.map((_, at) => at + 1));
    const ids = own.map(({ publicId }) => publicId);
    const came = received.filter(({ event }) => event.accountId === accountId);
    expect([...new Set(came.map(({ event }) => event.id))]).toEqual(ids);
    expect(await readFeed(node, { token, accountId })).toEqual(ids);
  }
  const doubles = received.length - changed.length;
  expect(doubles).toBeLessThanOrEqual(KILLS * NODES * ACCOUNTS.length * BATCH);
  return { changes: changed.length, kills: KILLS, doubles };
}

/** The ids of all events of an account's feed. */
async function readFeed(
  node: SpawnedService,
  as: { readonly token: string; readonly accountId: number },
): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const answer = await node.send(`/v1/events?types=account.*&limit=500${after}`, as);
    const { data, nextCursor } = page.parse(await answer.json());
    if (data.length === 0) return ids;
    ids.push(...data.map(({ id }) => id));
    after = `&after=${encodeURIComponent(nextCursor)}`;
  }
}
