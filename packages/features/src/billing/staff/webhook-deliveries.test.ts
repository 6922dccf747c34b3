import { insertWebhook, type NewWebhook } from '@gatehouse/db/queries/process-webhooks';
import type { WebhookStatus } from '@gatehouse/db/tables/billing-tables';
import { describe, expect, it } from 'vitest';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

const RECEIVED_MS = Date.UTC(2026, 9, 1);

function delivery(number: number, status: WebhookStatus, fields: Partial<NewWebhook> = {}): NewWebhook {
  const isEvent = status !== 'rejected';
  return {
    provider: 'paddle',
    endpoint: 'paddle_production_webhooks',
    eventId: isEvent ? `evt_${number}` : null,
    dedupeKey: isEvent ? `paddle:evt_${number}` : null,
    type: isEvent ? 'subscription.updated' : null,
    body: `{"number":${number}}`,
    bodyEncoding: 'utf8',
    bodyBytes: 12,
    digest: 'd'.repeat(64),
    status,
    reason: status === 'failed' ? 'fault' : null,
    attempts: 3,
    address: '192.0.2.1',
    receivedAtMs: RECEIVED_MS,
    ...fields,
  };
}

async function startWithDeliveries(): Promise<StaffWorld> {
  const world = await startStaffWorld();
  const rows = [
    delivery(1, 'processed'),
    delivery(2, 'failed'),
    delivery(3, 'rejected'),
    delivery(4, 'ignored', { provider: 'stripe', dedupeKey: 'stripe:evt_4' }),
    delivery(5, 'ignored', { eventId: 'evt_1', dedupeKey: null, reason: 'duplicate', body: '' }),
    delivery(6, 'received'),
  ];
  for (const row of rows) await insertWebhook(world.service.database, row);
  return world;
}

const idsIn = (body: Record<string, unknown>) => (body['data'] as { id: number }[]).map(({ id }) => id);

describe('webhook.list', () => {
  it('shows the deliveries, newest first, without their bodies', async () => {
    await using world = await startWithDeliveries();
    const { body } = await world.call('webhook.list', {}, world.root);
    expect(idsIn(body)).toEqual([6, 5, 4, 3, 2, 1]);
    expect((body['data'] as object[])[4]).toEqual({
      id: 2,
      provider: 'paddle',
      endpoint: 'paddle_production_webhooks',
      eventId: 'evt_2',
      type: 'subscription.updated',
      status: 'failed',
      reason: 'fault',
      attempts: 3,
      bodyBytes: 12,
      digest: 'd'.repeat(64),
      address: '192.0.2.1',
      occurredAt: null,
      receivedAt: '2026-10-01T00:00:00.000Z',
      processedAt: null,
    });
  });

  it('filters by status and provider, page by page', async () => {
    await using world = await startWithDeliveries();
    const ask = async (input: object) => (await world.call('webhook.list', input, world.root)).body;
    expect(idsIn(await ask({ status: 'ignored' }))).toEqual([5, 4]);
    expect(idsIn(await ask({ provider: 'stripe' }))).toEqual([4]);
    const first = await ask({ limit: 4 });
    const { nextCursor } = first['page'] as { nextCursor: string };
    expect([...idsIn(first), ...idsIn(await ask({ limit: 4, cursor: nextCursor }))]).toEqual([
      6, 5, 4, 3, 2, 1,
    ]);
  });
});

describe('webhook.detail', () => {
  it('shows one delivery with its body, in data', async () => {
    await using world = await startWithDeliveries();
    const { body } = await world.call('webhook.detail', { id: 3 }, world.root);
    expect(body).toMatchObject({
      data: { id: 3, status: 'rejected', body: '{"number":3}', bodyEncoding: 'utf8' },
    });
    expect(await world.call('webhook.detail', { id: 99 }, world.root)).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});

describe('webhook.replay', () => {
  it('makes a processed, failed or ignored delivery due again, and records that in the audit log', async () => {
    await using world = await startWithDeliveries();
    for (const id of [1, 2, 4]) {
      expect((await world.call('webhook.replay', { id }, world.root)).status).toBe(200);
    }
    const { body } = await world.call('webhook.list', { status: 'received' }, world.root);
    expect((body['data'] as object[]).map((row) => row)).toMatchObject([
      { id: 6 },
      { id: 4, attempts: 0, reason: null },
      { id: 2, attempts: 0, reason: null },
      { id: 1, attempts: 0, reason: null },
    ]);
    const { auditLog } = world.service.database.tables;
    const lines = await world.service.database.select().from(auditLog);
    expect(lines.filter(({ action }) => action === 'webhook.replayed')).toMatchObject(
      ['1', '2', '4'].map((subjectId) => ({ subjectKind: 'webhook', subjectId, actorId: world.root.id })),
    );
  });

  it('makes it due once in twenty concurrent calls', async () => {
    await using world = await startWithDeliveries();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.call('webhook.replay', { id: 2 }, world.root)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'not_replayable')).toHaveLength(19);
  });

  it('refuses deliveries without an event and those that still wait', async () => {
    await using world = await startWithDeliveries();
    for (const id of [3, 5, 6]) {
      expect(await world.call('webhook.replay', { id }, world.root)).toMatchObject({
        status: 409,
        code: 'not_replayable',
      });
    }
    expect(await world.call('webhook.replay', { id: 99 }, world.root)).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});

describe('the webhook log', () => {
  it('is closed to everybody except staff of role 0', async () => {
    await using world = await startWithDeliveries();
    const calls = [
      ['webhook.list', {}],
      ['webhook.detail', { id: 1 }],
      ['webhook.replay', { id: 1 }],
    ] as const;
    for (const [name, input] of calls) {
      expect(await world.call(name, input, world.manager)).toMatchObject({
        status: 403,
        code: 'permission_denied',
      });
      expect(await world.call(name, input, world.member)).toMatchObject({
        status: 403,
        code: 'permission_denied',
      });
    }
  });
});
