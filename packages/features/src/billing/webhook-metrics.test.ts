import { paddleLife } from '@gatehouse/simulator';
import { describe, expect, inject, it } from 'vitest';
import { deliver, drain, startBilling } from '../test/billing.js';

const dialect = inject('dialect');
const METRICS_TOKEN = 'metrics-token-0123456789';

describe('GET /metrics', () => {
  it('counts deliveries, and events that still wait for their effect', async () => {
    let now = Date.now();
    await using service = await startBilling({ dialect, env: { METRICS_TOKEN }, now: () => now });
    const figures = async () => (await service.send('/metrics', { bearer: METRICS_TOKEN })).text();
    const path = '/paddle_production_webhooks';
    const events = paddleLife({ accountId: 1, startMs: now, key: 'm' }).map(({ event }) => event);
    for (const event of events.slice(0, 3)) await deliver(service, { path, event });
    await deliver(service, { path, event: events[0] ?? {} });
    await deliver(service, { path, event: events[3] ?? {}, secret: 'forged-forged-forged' });
    now += 5_000;
    const before = await figures();
    expect(before).toContain('gatehouse_webhook_backlog 3\n');
    expect(before).toContain('gatehouse_webhook_backlog_oldest_seconds 5\n');
    const line = (outcome: string) =>
      `gatehouse_webhook_deliveries_total{endpoint="paddle_production_webhooks",outcome="${outcome}"}`;
    expect(before).toContain(`${line('received')} 3\n`);
    expect(before).toContain(`${line('duplicate')} 1\n`);
    expect(before).toContain(`${line('mismatch')} 1\n`);
    await drain(service);
    expect(await figures()).toContain('gatehouse_webhook_backlog 0\n');
  });

  it('requires the token, and answers 404 when none is configured', async () => {
    await using service = await startBilling({ dialect, env: { METRICS_TOKEN } });
    expect((await service.send('/metrics')).status).toBe(401);
    expect((await service.send('/metrics', { bearer: `${METRICS_TOKEN}x` })).status).toBe(401);
    await using closed = await startBilling({ dialect });
    expect((await closed.send('/metrics')).status).toBe(404);
    expect((await closed.send('/metrics', { bearer: '' })).status).toBe(404);
  });
});
