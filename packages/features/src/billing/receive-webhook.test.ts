import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Database } from '@gatehouse/db/database';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { findWebhook, listWebhooks } from '@gatehouse/db/queries/read-webhooks';
import { signDelivery, stripeLife } from '@gatehouse/simulator';
import { createTestDatabase, type RunningService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import {
  BILLING_ENVIRONMENT,
  deliver,
  drain,
  PRODUCTION_SECRET,
  RECEIVERS,
  SANDBOX_SECRET,
  STRIPE_SECRET,
  startBilling,
} from '../test/billing.js';

const dialect = inject('dialect');
const start = (env: Record<string, string> = {}) => startBilling({ dialect, env });
const rowsOf = (service: RunningService) => listWebhooks(service.database, { limit: 100 });

const EVENTS = {
  stripe: {
    id: 'evt_1',
    object: 'event',
    type: 'product.created',
    created: 1_790_000_000,
    data: { object: {} },
  },
  paddle: {
    event_id: 'evt_1',
    event_type: 'product.created',
    occurred_at: '2026-09-21T10:00:00.000001Z',
    data: {},
  },
};

/** Sends bytes unchanged, with only the given headers. */
function sendRaw(url: string, headers: Record<string, string>, body?: Buffer | string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe.each(RECEIVERS)('the webhook $path', ({ path, provider, secret }) => {
  const event = EVENTS[provider];

  it('stores a signed event before it answers', async () => {
    await using service = await start();
    const response = await deliver(service, { path, event });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: true, message: 'Received' });
    const [row] = await rowsOf(service);
    expect(row).toMatchObject({
      provider,
      endpoint: path.slice(1),
      eventId: 'evt_1',
      type: 'product.created',
      status: 'received',
      address: '127.0.0.1',
      bodyBytes: JSON.stringify(event).length,
    });
    expect((await findWebhook(service.database, row?.id ?? 0))?.body).toBe(JSON.stringify(event));
  });

  it('refuses and records bodies that are empty, not JSON, too large or of another type', async () => {
    await using service = await start();
    const url = `${service.url}${path}`;
    const json = { 'content-type': 'application/json' };
    const signed = (body: string, type = 'application/json') =>
      sendRaw(
        url,
        { ...signDelivery(provider, { body, secret, nowMs: Date.now() }).headers, 'content-type': type },
        body,
      );
    const answers = [
      await sendRaw(url, {}),
      await sendRaw(url, json, ''),
      await sendRaw(url, { 'content-type': 'text/plain' }, 'hello'),
      await sendRaw(url, json, '{"id":'),
      await sendRaw(url, json, Buffer.alloc(10_000_000, 'a')),
      await signed(JSON.stringify(event), 'text/plain'),
      await signed('{"id":'),
      await signed('[1,2,3]'),
      await signed(`"${'a'.repeat(1_100_000)}"`),
      await signed(JSON.stringify({ ...event, id: 'evt \u0000', event_id: 'evt \u0000' })),
    ];
    expect(answers).toEqual([400, 400, 400, 400, 413, 415, 400, 400, 413, 400]);
    const rows = await rowsOf(service);
    const shown = rows
      .toReversed()
      .map(({ status, reason, eventId, type }) => [status, reason, eventId, type]);
    expect(shown).toEqual([
      ['rejected', 'no_signature', null, null],
      ['rejected', 'no_signature', null, null],
      ['rejected', 'no_signature', null, null],
      ['rejected', 'no_signature', null, null],
      ['rejected', 'too_large', null, null],
      ['rejected', 'content_type', 'evt_1', 'product.created'],
      ['rejected', 'not_an_event', null, null],
      ['rejected', 'not_an_event', null, null],
      ['rejected', 'too_large', null, null],
      ['rejected', 'not_an_event', null, 'product.created'],
    ]);
    expect(rows.find(({ bodyBytes }) => bodyBytes === 10_000_000)).toBeDefined();
    expect((await service.send('/healthz')).status).toBe(200);
  });

  it('keeps a large event however it arrives: in chunks without a length, or in three-byte characters', async () => {
    await using service = await start();
    for (const [at, text] of ['x'.repeat(999_000), '日'.repeat(333_000)].entries()) {
      const id = `evt_large_${at}`;
      const body = JSON.stringify({ ...event, id, event_id: id, padding: text });
      const { headers } = signDelivery(provider, { body, secret, nowMs: Date.now() });
      const answer = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers,
        body: new Blob([body]).stream(),
        duplex: 'half',
      });
      expect(answer.status).toBe(200);
      const row = (await rowsOf(service)).find(({ eventId }) => eventId === id);
      expect(row).toMatchObject({ status: 'received', bodyBytes: Buffer.byteLength(body) });
      expect((await findWebhook(service.database, row?.id ?? 0))?.body).toBe(body);
    }
  });

  it('keeps the size, the beginning and the id of an event that is too large', async () => {
    await using service = await start();
    const { id, event_id, ...rest }: Record<string, unknown> = event;
    const body = JSON.stringify({
      id,
      event_id,
      padding: { id: 'sub_1', text: 'x'.repeat(1_100_000) },
      ...rest,
    });
    const { headers } = signDelivery(provider, { body, secret, nowMs: Date.now() });
    expect(await sendRaw(`${service.url}${path}`, headers, body)).toBe(413);
    const [row] = await rowsOf(service);
    expect(row).toMatchObject({
      status: 'rejected',
      reason: 'too_large',
      eventId: 'evt_1',
      bodyBytes: body.length,
    });
    expect((await findWebhook(service.database, row?.id ?? 0))?.body).toBe(body.slice(0, 4096));
  });

  it('refuses a delivery that the provider did not just sign, and logs the reason', async () => {
    await using service = await start();
    const { headers } = signDelivery(provider, { body: JSON.stringify(event), secret, nowMs: Date.now() });
    const respaced = await sendRaw(`${service.url}${path}`, headers, JSON.stringify(event, null, 1));
    const other = RECEIVERS.find((receiver) => receiver.secret !== secret)?.secret ?? '';
    const answers = [
      await deliver(service, { path, event, secret: other }),
      await deliver(service, { path, event, signedAtMs: Date.now() - 301_000 }),
      await deliver(service, { path, event, signedAtMs: Date.now() + 3_600_000 }),
    ];
    expect([respaced, ...answers.map(({ status }) => status)]).toEqual([400, 400, 400, 400]);
    expect(await answers[0]?.json()).toMatchObject({ status: false, error: { code: 'invalid_signature' } });
    const rows = await rowsOf(service);
    expect(rows.toReversed().map((row) => [row.status, row.reason, row.eventId, row.type])).toEqual(
      ['mismatch', 'mismatch', 'too_old', 'too_new'].map((reason) => [
        'rejected',
        reason,
        'evt_1',
        'product.created',
      ]),
    );
    const late = await deliver(service, { path, event, signedAtMs: Date.now() - 298_000 });
    expect(late.status).toBe(200);
  });

  it('accepts either of two secrets during a rotation', async () => {
    const next = `${secret}-next`;
    const variable = {
      '/stripe_webhooks': 'STRIPE_WEBHOOK_SECRET',
      '/paddle_sandbox_webhooks': 'PADDLE_SANDBOX_WEBHOOK_SECRET',
      '/paddle_production_webhooks': 'PADDLE_PRODUCTION_WEBHOOK_SECRET',
      '/paddle_Admin_webhooks': 'PADDLE_ADMIN_WEBHOOK_SECRET',
    }[path];
    await using service = await start({ [variable]: `${secret},${next}` });
    const second = { ...event, id: 'evt_2', event_id: 'evt_2' };
    expect((await deliver(service, { path, event })).status).toBe(200);
    expect((await deliver(service, { path, event: second, secret: next })).status).toBe(200);
    expect((await deliver(service, { path, event, secret: `${secret}-old` })).status).toBe(400);
  });
});

describe('a delivery of a webhook', () => {
  const event = EVENTS.paddle;

  it('with the sandbox signature is refused in production, and a production signature in the sandbox', async () => {
    await using service = await start();
    const toProduction = await deliver(service, {
      path: '/paddle_production_webhooks',
      event,
      secret: SANDBOX_SECRET,
    });
    const toSandbox = await deliver(service, {
      path: '/paddle_sandbox_webhooks',
      event,
      secret: PRODUCTION_SECRET,
    });
    expect([toProduction.status, toSandbox.status]).toEqual([400, 400]);
    expect((await rowsOf(service)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('is refused by every receiver that has no secret', async () => {
    await using service = await startBilling({
      dialect,
      env: Object.fromEntries(Object.keys(BILLING_ENVIRONMENT).map((name) => [name, ''])),
    });
    for (const { path, provider } of RECEIVERS) {
      expect((await deliver(service, { path, event: EVENTS[provider] })).status).toBe(400);
      expect((await deliver(service, { path, event: EVENTS[provider], secret: 'undefined' })).status).toBe(
        400,
      );
    }
    expect(new Set((await rowsOf(service)).map(({ reason }) => reason))).toEqual(new Set(['no_secret']));
  });

  it('that is rejected does not keep out the genuine event', async () => {
    await using service = await start();
    const path = '/stripe_webhooks';
    expect(
      (await deliver(service, { path, event: EVENTS.stripe, secret: 'forged-forged-forged' })).status,
    ).toBe(400);
    expect((await deliver(service, { path, event: EVENTS.stripe })).status).toBe(200);
    await drain(service);
    expect((await rowsOf(service)).map(({ status, eventId, type }) => [status, eventId, type])).toEqual([
      ['ignored', 'evt_1', 'product.created'],
      ['rejected', 'evt_1', 'product.created'],
    ]);
  });

  it('that is repeated is acknowledged and recorded as a duplicate', async () => {
    await using service = await start();
    const path = '/stripe_webhooks';
    for (const status of [200, 200, 200]) {
      expect((await deliver(service, { path, event: EVENTS.stripe })).status).toBe(status);
    }
    const rows = await rowsOf(service);
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
      ['ignored', 'duplicate'],
      ['ignored', 'duplicate'],
      ['received', null],
    ]);
  });

  it('is not acknowledged while the database is down, and accepted once it is back', async () => {
    await using place = await createTestDatabase(dialect);
    let isAway = true;
    const database: Database = {
      ...place.database,
      transaction: (body) =>
        isAway ? Promise.reject(new DatabaseUnavailableError('lost')) : place.database.transaction(body),
    };
    await using service = await startBilling({ dialect, database });
    const path = '/stripe_webhooks';
    const burst = () => Promise.all([1, 2, 3].map(() => deliver(service, { path, event: EVENTS.stripe })));
    for (const answer of await burst()) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    }
    expect(await rowsOf(service)).toEqual([]);
    isAway = false;
    expect((await burst()).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await rowsOf(service)).filter(({ status }) => status === 'received')).toHaveLength(1);
  });

  it('that is refused is kept as its first 4 kB and the digest of the whole', async () => {
    await using service = await start();
    const body = 'ä'.repeat(5_000);
    await sendRaw(`${service.url}/stripe_webhooks`, { 'content-type': 'application/json' }, body);
    const [row] = await rowsOf(service);
    const stored = await findWebhook(service.database, row?.id ?? 0);
    expect(stored).toMatchObject({ body: 'ä'.repeat(2_048), bodyEncoding: 'utf8', bodyBytes: 10_000 });
    expect(stored?.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of bytes that are not text is stored in base64', async () => {
    await using service = await start();
    await sendRaw(`${service.url}/stripe_webhooks`, {}, Buffer.from([0xff, 0xfe, 0, 1]));
    const [row] = await rowsOf(service);
    expect(await findWebhook(service.database, row?.id ?? 0)).toMatchObject({
      body: '//4AAQ==',
      bodyEncoding: 'base64',
    });
  });

  it('whose sender disconnects before its end is recorded', async () => {
    await using service = await start();
    const request = httpRequest(`${service.url}/stripe_webhooks`, {
      method: 'POST',
      headers: { 'content-length': 1000, expect: '100-continue' },
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    await once(request, 'continue');
    request.write('{"id":', () => void request.destroy());
    await expect
      .poll(async () => (await rowsOf(service)).map(({ reason }) => reason))
      .toEqual(['incomplete']);
  });

  it('from a stranger is only counted once five hundred from its address are stored', {
    timeout: 60_000,
  }, async () => {
    await using service = await start();
    for (let sent = 0; sent < 510; sent += 30) {
      await Promise.all(Array.from({ length: 30 }, () => sendRaw(`${service.url}/stripe_webhooks`, {}, 'x')));
    }
    const kept = await listWebhooks(service.database, { limit: 600 });
    expect(kept.length).toBeGreaterThanOrEqual(500);
    expect(kept.length).toBeLessThan(540);
    expect(await sendRaw(`${service.url}/stripe_webhooks`, {}, 'x')).toBe(400);
    expect(await listWebhooks(service.database, { limit: 600 })).toHaveLength(kept.length);
  });

  it('writes no secret, signature or body to the log', async () => {
    await using service = await start();
    const [step] = stripeLife({ accountId: 1, startMs: Date.now(), key: 'canary' });
    await deliver(service, { path: '/stripe_webhooks', event: step?.event ?? {} });
    await deliver(service, {
      path: '/stripe_webhooks',
      event: step?.event ?? {},
      secret: 'forged-forged-forged',
    });
    await drain(service);
    const log = service.logLines.join('\n');
    expect(log).toContain('webhook.rejected');
    for (const word of [STRIPE_SECRET, 'canary', 'v1=']) expect(log).not.toContain(word);
  });
});
