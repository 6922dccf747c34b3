import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@gatehouse/db/open-database';
import { createLogger } from '@gatehouse/runtime/log/log';
import {
  createTestDatabase,
  printMeasurements,
  rounds,
  seedTestDatabase,
  spawnService,
  testConfig,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createServices } from '../deployment/create-services.js';
import { mailDelivery } from '../mail/mail-delivery.js';

const sent = z.object({ to: z.string() });

/** Plays Resend: accepts a key once, and answers a repeat like the first call, with a delay. */
async function startProvider() {
  const taken = new Map<string, string>();
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      const key = String(request.headers['idempotency-key']);
      taken.set(key, sent.parse(JSON.parse(Buffer.concat(chunks).toString())).to);
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: key }));
      }, randomInt(250));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    recipients: () => [...taken.values()],
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a service killed between the commit of a mail and its delivery', () => {
  it('loses no mail, and delivers none twice except those that the provider deduplicates', {
    timeout: 1_200_000,
  }, async () => {
    const total = rounds({ suite: 2, stress: 50 });
    await using provider = await startProvider();
    await using world = await createTestDatabase(inject('dialect'));
    await seedTestDatabase(world.database);
    const env = { RESEND_API_KEY: 're_test', RESEND_BASE_URL: provider.url };
    const acknowledged: string[] = [];
    for (let round = 0; round < total; round += 1) {
      await using service = await spawnService('api-main', { databaseUrl: world.url, env });
      await Promise.all(
        Array.from({ length: 4 }, async (_, index) => {
          const name = `m${round}-${index}`;
          const email = `${name}@many.test`;
          const body = { username: name, email, password: 'Analytical-Engine-1843' };
          const response = await service.send('/register', { body });
          expect(response.status).toBe(200);
          acknowledged.push(email);
        }),
      );
      await pause(randomInt(40));
      await service.kill9();
    }

    // A node that starts later finds the mails that dead nodes had claimed, once their leases are over.
    const db = await openDatabase(world.url);
    const log = createLogger({ service: 'test', level: 'silent' });
    const services = createServices({
      config: testConfig(env),
      db,
      log,
      application: 'web',
      now: () => Date.now() + 120_000,
    });
    const { mailOutbox } = db.tables;
    const before = await db.select().from(mailOutbox);
    while ((await mailDelivery.run(services)) > 0);
    const mails = await db.select().from(mailOutbox);
    await db.close();

    printMeasurements('mails survive a kill', {
      rounds: total,
      mails: mails.length,
      leftByTheDead: before.filter(({ state }) => state === 'pending').length,
      requests: provider.requests(),
      removedByTheProvider: provider.requests() - provider.recipients().length,
    });
    expect(mails.every(({ state }) => state === 'sent')).toBe(true);
    expect(provider.recipients().toSorted()).toEqual(acknowledged.toSorted());
  });
});
