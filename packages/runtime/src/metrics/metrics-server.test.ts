import { describe, expect, it } from 'vitest';
import { createMetrics } from './create-metrics.js';
import { startMetricsServer } from './metrics-server.js';

describe('the metrics port', () => {
  it('returns the metrics of service and process to every caller, and nothing else', async () => {
    const metrics = createMetrics();
    metrics.watchProcess();
    metrics.countLogin('ok');
    const server = await startMetricsServer(metrics, { host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${server.port}`;
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await answer.text();
    expect(text).toContain('gatehouse_logins_total{outcome="ok"} 1\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
    await server.close();
  });
});
