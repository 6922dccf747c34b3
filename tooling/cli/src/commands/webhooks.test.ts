import { insertWebhook } from '@gatehouse/db/queries/process-webhooks';
import { findWebhook } from '@gatehouse/db/queries/read-webhooks';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { webhooks } from './webhooks.js';

async function startWithDeliveries(): Promise<TestDatabase> {
  const place = await createTestDatabase('libsql');
  const row = {
    provider: 'stripe',
    endpoint: 'stripe_webhooks',
    type: 'invoice.paid',
    bodyEncoding: 'utf8',
    bodyBytes: 2,
    digest: 'd'.repeat(64),
    address: '192.0.2.1',
    receivedAtMs: Date.UTC(2026, 9, 1),
  } as const;
  const { database } = place;
  await insertWebhook(database, {
    ...row,
    eventId: 'evt_1',
    dedupeKey: 'stripe:evt_1',
    status: 'failed',
    reason: 'fault',
    body: '{}',
  });
  await insertWebhook(database, {
    ...row,
    eventId: 'evt_2',
    dedupeKey: 'stripe:evt_2',
    status: 'processed',
    body: '{"a":1}',
  });
  await insertWebhook(database, {
    ...row,
    type: null,
    status: 'rejected',
    reason: 'mismatch',
    body: '\u001b[2Jgone',
  });
  return place;
}

async function run({ url }: TestDatabase, ...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const env = { DATABASE_URL: url, NODE_ENV: 'test' };
  const code = await webhooks.run({ args, env, say: (line) => void lines.push(line), draw: () => undefined });
  return { code, lines };
}

describe('gatehouse webhooks', () => {
  it('lists deliveries, newest first, filtered by status on request', async () => {
    await using place = await startWithDeliveries();
    const { code, lines } = await run(place, 'list');
    expect(code).toBe(0);
    expect(lines.map((line) => line.trim().split(/\s+/).slice(0, 3))).toEqual([
      ['3', '2026-10-01T00:00:00.000Z', 'rejected'],
      ['2', '2026-10-01T00:00:00.000Z', 'processed'],
      ['1', '2026-10-01T00:00:00.000Z', 'failed'],
    ]);
    expect((await run(place, 'list', '--status', 'failed')).lines).toHaveLength(1);
    expect((await run(place, 'list', '--limit', '2')).lines.at(-1)).toBe('more: --before 2');
    expect((await run(place, 'list', '--limit', '2', '--before', '2')).lines).toHaveLength(1);
  });

  it('shows one delivery with its body, and lets nothing in it move the cursor', async () => {
    await using place = await startWithDeliveries();
    expect((await run(place, 'show', '2')).lines).toContain('{"a":1}');
    const { lines } = await run(place, 'show', '3');
    expect(lines).toContain('·[2Jgone');
    expect(lines.join('\n')).not.toContain('\u001b');
    expect(await run(place, 'show', '9')).toEqual({ code: 1, lines: ['There is no such delivery.'] });
  });

  it('replays events by id, and all failed ones', async () => {
    await using place = await startWithDeliveries();
    expect(await run(place, 'replay', '2', '3')).toMatchObject({
      code: 1,
      lines: ['2  due again', expect.stringMatching(/^3 {2}cannot/)],
    });
    expect(await run(place, 'replay', '--failed')).toEqual({ code: 0, lines: ['1  due again'] });
    expect(await run(place, 'replay', '--failed')).toEqual({ code: 0, lines: ['Nothing to replay.'] });
    for (const id of [1, 2])
      expect(await findWebhook(place.database, id)).toMatchObject({ status: 'received', attempts: 0 });
    const { auditLog } = place.database.tables;
    expect(await place.database.select().from(auditLog)).toMatchObject([
      { action: 'webhook.replayed', subjectId: '2', actorId: null },
      { action: 'webhook.replayed', subjectId: '1', actorId: null },
    ]);
  });

  it.each(['', 'burn', 'show x', 'replay 0', 'list --status lost'])(
    'shows its usage when asked for %j',
    async (words) => {
      await using place = await startWithDeliveries();
      expect((await run(place, ...words.split(' '))).code).toBe(2);
    },
  );
});
