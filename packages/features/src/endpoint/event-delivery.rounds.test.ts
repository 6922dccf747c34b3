import { setTimeout as pause } from 'node:timers/promises';
import { sequenceEvents } from '@gatehouse/db/queries/events';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  rounds,
  seedTestDatabase,
  spawnService,
} from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { z } from 'zod';
import { startEventReceiver } from '../test/event-receiver.js';

const CHANGES = 40;

const IN_FLIGHT = 8;

const PATIENCE_MS = 60_000;

it('two nodes deliver every event in order, and nothing is lost when one is killed', {
  timeout: 1_200_000,
}, async () => {
  const dialect = inject('dialect');
  await using test = await createTestDatabase(dialect);
  const { url: databaseUrl, database: db } = test;
  await seedTestDatabase(db);
  await using receiver = await startEventReceiver(async () => {
    await pause(5);
    return { status: 200 };
  });
  const member = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1 } });
  const as = { token: member.token, accountId: 1 };
  await using lasting = await spawnService('api-main', { databaseUrl });
  const made = await lasting.send('/v1/eventEndpoint/save', {
    ...as,
    body: { url: receiver.url, types: ['account.*'] },
  });
  const { secret } = z.object({ secret: z.string() }).parse(await made.json());
  const kills = rounds({ suite: 2, stress: 30 });
  const { eventDeliveries } = db.tables;
  let doubles = 0;
  for (let round = 0; round < kills; round += 1) {
    await using dying = await spawnService('api-main', { databaseUrl });
    receiver.received.length = 0;
    const names = Array.from({ length: CHANGES }, (_, at) => `Round ${round}, ${at}`);
    for (const [at, name] of names.entries()) {
      const on = at % 2 === 0 && at < CHANGES / 2 ? dying : lasting;
      const answer = await on.send('/v1/account/rename', { ...as, body: { name } });
      expect(answer.status).toBe(200);
      if (at === CHANGES / 2) await dying.kill9();
    }
    const endMs = performance.now() + PATIENCE_MS;
    const isWhole = () => new Set(receiver.received.map(({ event }) => event.data['name'])).size === CHANGES;
    while (!isWhole() && performance.now() < endMs) {
      // As if the minute were over for which the dead node holds what it has claimed.
      await db.write(db.update(eventDeliveries).set({ dueAtMs: 0 }));
      await pause(500);
    }
    const told = receiver.received.map(({ event }) => String(event.data['name']));
    expect([...new Set(told)]).toEqual(names);
    doubles += told.length - CHANGES;
    for (const delivery of receiver.received) expect(delivery.verify(secret)).toMatchObject(delivery.event);
    const undelivered = async () =>
      (await db.select().from(eventDeliveries)).filter(({ state }) => state !== 'delivered').length;
    while ((await undelivered()) > 0 && performance.now() < endMs) await pause(50);
    expect(await undelivered()).toBe(0);
  }
  expect(await sequenceEvents(db, 'the last turn', 10)).toBe(0);
  printMeasurements('two nodes deliver events, one is killed', { kills, lost: 0, doubles });
  expect(doubles).toBeLessThanOrEqual(kills * IN_FLIGHT);
});
