import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { insertEndpoint } from '@gatehouse/db/queries/event-endpoints';
import { createTestDatabase, findFreePort, seedTestDatabase } from '@gatehouse/testkit';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { startListening } from '../events/listen.js';
import { events } from './events.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

async function run(env: Record<string, string>, ...args: string[]) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const code = await events.run({ args, env, say, draw: () => undefined }).catch((error: unknown) => {
    lines.push(String(error));
    return 1;
  });
  return { code, lines };
}

const send = (...args: string[]) => run({}, 'send', ...args);

async function startListener(failWith?: number) {
  const lines: string[] = [];
  const port = await findFreePort();
  const say = (line: string) => void lines.push(line);
  const listening = await startListening({ port, secret: SECRET, failWith, say });
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    lines,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

describe('gatehouse events send', () => {
  it('signs as a library for Standard Webhooks verifies', async () => {
    const received: unknown[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        received.push(new Webhook(SECRET).verify(body, headers));
        response.writeHead(200).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code } = await send(`http://127.0.0.1:${port}/`, '--secret', SECRET, '--type', 'key.created');
    expect([code, received]).toEqual([
      0,
      [expect.objectContaining({ type: 'key.created', subject: 'account:1' })],
    ]);
    server.close();
    server.closeAllConnections();
  });

  it('is accepted by a receiver that verifies, twice and out of order too', async () => {
    await using listener = await startListener();
    for (const options of [[], ['--duplicate'], ['--out-of-order']])
      expect((await send(listener.url, '--secret', SECRET, ...options)).code).toBe(0);
    expect(listener.lines.map((line) => [/ v(\d) /.exec(line)?.[1], line.endsWith('again')])).toEqual([
      ['1', false],
      ['1', false],
      ['1', true],
      ['2', false],
      ['1', false],
    ]);
  });

  it('is refused by a receiver that verifies, with a wrong signature or an old time', async () => {
    await using listener = await startListener();
    const wrong = await send(listener.url, '--secret', SECRET, '--bad-signature');
    const old = await send(listener.url, '--secret', SECRET, '--old');
    expect([wrong.code, old.code]).toEqual([0, 0]);
    expect(listener.lines).toEqual([
      'refused: it is signed with another secret, or was changed',
      expect.stringMatching(/^refused: it was sent at another time: /),
    ]);
  });

  it('exits with 1 when a receiver accepts or refuses the wrong delivery, or does not answer', async () => {
    await using careless = await startListener();
    const server = createServer((_request, response) => void response.writeHead(204).end()).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const taken = await send(`http://127.0.0.1:${port}/`, '--bad-signature');
    expect(taken).toEqual({ code: 1, lines: [expect.stringContaining('it should be refused')] });
    server.close();
    server.closeAllConnections();
    const refused = await send(careless.url);
    expect(refused).toEqual({ code: 1, lines: [expect.stringContaining('it should be taken')] });
    const silent = await send(`http://127.0.0.1:${await findFreePort()}/`);
    expect(silent).toEqual({ code: 1, lines: [expect.stringContaining('no answer')] });
  });

  it('lists the types when asked for an unknown one', async () => {
    expect((await send('http://127.0.0.1:1/', '--type', 'member.lost')).lines.join()).toContain(
      'member.registered',
    );
  });
});

describe('gatehouse events listen', () => {
  it('answers with a chosen failure status', async () => {
    await using listener = await startListener(503);
    const { lines } = await send(listener.url, '--secret', SECRET);
    expect(lines).toEqual([expect.stringContaining('  503  ')]);
    expect(listener.lines).toEqual([expect.stringMatching(/answered 503$/)]);
  });

  it('says that its port is already in use', async () => {
    await using listener = await startListener();
    const { code, lines } = await run({}, 'listen', '--port', String(listener.port));
    expect([code, lines]).toEqual([1, [expect.stringContaining('Something listens on port')]]);
  });
});

describe('gatehouse events redeliver', () => {
  it('queues the deliveries of an endpoint between two instants again, with an entry in the audit log', async () => {
    await using place = await createTestDatabase('libsql');
    const { database: db, url } = place;
    await seedTestDatabase(db);
    const again = (id: number, from: string, to: string) =>
      run({ DATABASE_URL: url, NODE_ENV: 'test' }, 'redeliver', String(id), '--from', from, '--to', to);
    const atMs = Date.UTC(2026, 9, 1);
    const id = await insertEndpoint(
      db,
      {
        scope: 'account:1',
        accountId: 1,
        partnerId: null,
        url: 'https://a.test/',
        types: ['account.*'],
        description: '',
        active: true,
        level: 1,
        savedById: 3,
        position: 0,
      },
      atMs,
    );
    const { eventDeliveries } = db.tables;
    const delivery = {
      endpointId: id,
      type: 'account.updated',
      subject: 'account:1',
      attempts: [],
      failures: 0,
    };
    await db.insertMany(
      eventDeliveries,
      [0, 1, 2].map((hours) => ({
        ...delivery,
        position: hours + 1,
        eventId: `evt_${hours}`,
        state: 'delivered' as const,
        queuedAtMs: atMs + hours * 3_600_000,
        dueAtMs: atMs + hours * 3_600_000,
        createdAtMs: atMs + hours * 3_600_000,
      })),
    );
    const done = await again(id, '2026-10-01T00:00:00Z', '2026-10-01T02:00:00Z');
    expect(done).toEqual({ code: 0, lines: ['2 deliveries are queued again.'] });
    const states = await db
      .select({ state: eventDeliveries.state })
      .from(eventDeliveries)
      .orderBy(eventDeliveries.position);
    expect(states.map(({ state }) => state)).toEqual(['pending', 'pending', 'delivered']);
    const lines = await db.select().from(db.tables.auditLog);
    expect(lines).toMatchObject([
      {
        action: 'endpoint.redelivered',
        accountId: 1,
        subjectId: String(id),
        after: { from: '2026-10-01T00:00:00.000Z' },
      },
    ]);

    expect((await again(99, '2026-09-30', '2026-10-02')).lines).toEqual([
      expect.stringContaining('no endpoint 99'),
    ]);
    expect((await again(id, '2026-10-02', '2026-09-30')).code).toBe(1);
  });
});
