import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { createTestDatabase, seedTestDatabase, signInByPassword, spawnService } from '@gatehouse/testkit';
import { describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';

const attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() }),
});
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
});
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** A collector: accepts posts to /v1/traces (OTLP over HTTP) and stores them. */
async function startCollector() {
  const received: { type: string; body: Buffer }[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const type = incoming.headers['content-type'] ?? '';
      const isRight = incoming.method === 'POST' && incoming.url === '/v1/traces';
      if (isRight) received.push({ type, body: Buffer.concat(chunks) });
      response
        .writeHead(isRight ? 200 : 404, { 'content-type': type })
        .end(type.includes('json') ? '{}' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    spans: () =>
      received.flatMap(({ body }) =>
        request
          .parse(JSON.parse(body.toString()))
          .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startTraced(collector: { url: string }, protocol: string) {
  const own = await createTestDatabase(inject('dialect'));
  await seedTestDatabase(own.database);
  const service = await spawnService('api-main', {
    databaseUrl: own.url,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_SERVICE_NAME: 'door',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
  });
  return {
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

describe('traces', () => {
  it('show a login as spans of the caller’s trace (request, procedure, statements, hash) without a secret', async () => {
    await using collector = await startCollector();
    await using traced = await startTraced(collector, 'http/json');
    const traceId = randomBytes(16).toString('hex');
    const parent = randomBytes(8).toString('hex');
    const email = 'owner@acme.test';
    await traced.service.send('/webauthenticate', {
      body: { email, password: DEMONSTRATION_PASSWORD },
      headers: { traceparent: `00-${traceId}-${parent}-01` },
    });
    const ours = () => collector.spans().filter((each) => each.traceId === traceId);
    await vi.waitFor(() => expect(ours().some(({ parentSpanId }) => parentSpanId === parent)).toBe(true), {
      timeout: 20_000,
    });
    const spans = ours();
    const named = (name: string) => spans.find((each) => each.name === name);
    const root = named('POST /webauthenticate');
    const procedure = named('login.web');
    expect(root?.parentSpanId).toBe(parent);
    expect(procedure?.parentSpanId).toBe(root?.spanId);
    expect(named('password.verify')?.parentSpanId).toBe(procedure?.spanId);
    for (const name of ['db select', 'db insert', 'db update']) {
      expect(named(name)?.parentSpanId).toBe(procedure?.spanId);
    }
    expect(root?.attributes).toContainEqual({
      key: 'http.response.status_code',
      value: { intValue: 200 },
    });
    const everything = collector.received.map(({ body }) => body.toString()).join('');
    expect(everything).toContain('"door"');
    expect(everything).not.toContain(email);
    expect(everything).not.toContain(DEMONSTRATION_PASSWORD);
    expect(everything).not.toMatch(/eyJ|\$2b\$/);
  });

  it('are sent as protobuf by default, and start a new trace for a malformed traceparent', async () => {
    await using collector = await startCollector();
    await using traced = await startTraced(collector, '');
    const { token } = await signInByPassword(traced.service, 'owner@acme.test');
    const headers = { traceparent: `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01` };
    expect((await traced.service.send('/auth/me', { token, headers })).status).toBe(200);
    const sent = () => Buffer.concat(collector.received.map(({ body }) => body)).toString('latin1');
    await vi.waitFor(() => expect(sent()).toContain('GET /auth/me'), { timeout: 20_000 });
    expect(collector.received[0]?.type).toBe('application/x-protobuf');
    expect(sent()).toContain('session.me');
    expect(sent()).not.toContain('owner@acme.test');
  });
});
