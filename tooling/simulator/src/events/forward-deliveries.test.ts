import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startProviderSimulator } from '../social/start-provider-simulator.js';

async function startListener(answer: RequestListener, at = 0) {
  const server = createServer(answer).listen(at, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

/** The answer of the demonstration's endpoint while events are passed on to a port. */
async function statusWith(eventsPort: number): Promise<number> {
  await using simulator = await startProviderSimulator({ eventsPort });
  const headers = { 'webhook-id': 'evt_1' };
  return (await fetch(`${simulator.url}/events`, { method: 'POST', headers, body: '{"a":1}' })).status;
}

describe('the endpoint of the demonstration', () => {
  it('returns the answer of the listening program, which gets the same bytes and signature', async () => {
    const received: string[] = [];
    await using listener = await startListener((request, response) => {
      request.on('data', (chunk: Buffer) => void received.push(`${request.headers['webhook-id']} ${chunk}`));
      request.on('end', () => void response.writeHead(503).end());
    });
    expect([await statusWith(listener.port), received]).toEqual([503, ['evt_1 {"a":1}']]);
  });

  it('answers 204 while no program listens, and 502 if the program breaks off', async () => {
    const gone = await startListener(() => undefined);
    await gone[Symbol.asyncDispose]();
    expect(await statusWith(gone.port)).toBe(204);
    await using broken = await startListener((request) => void request.destroy());
    expect(await statusWith(broken.port)).toBe(502);
  });

  it('delivers, in order, the events that arrived while no program listened', async () => {
    const gone = await startListener(() => undefined);
    await gone[Symbol.asyncDispose]();
    await using simulator = await startProviderSimulator({ eventsPort: gone.port });
    for (const body of ['1', '2', '3'])
      expect((await fetch(`${simulator.url}/events`, { method: 'POST', body })).status).toBe(204);
    const received: string[] = [];
    await using _listener = await startListener((request, response) => {
      request.on('data', (chunk: Buffer) => void received.push(String(chunk)));
      request.on('end', () => void response.writeHead(204).end());
    }, gone.port);
    await expect.poll(() => received, { timeout: 10_000 }).toEqual(['1', '2', '3']);
    await fetch(`${simulator.url}/events`, { method: 'POST', body: '4' });
    expect(received).toEqual(['1', '2', '3', '4']);
  });
});
