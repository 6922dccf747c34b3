import { type RunningService, signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';

const start = () => startService(createApp, { dialect: inject('dialect'), application: 'web' });

/** Calls `session.me` this many times in one batch. */
function batchOf(service: RunningService, size: number, token: string): Promise<Response> {
  const names = Array.from({ length: size }, () => 'session.me').join(',');
  return service.send(`/trpc/${names}?batch=1&input=${encodeURIComponent('{}')}`, { token });
}

async function refusalIn(response: Response): Promise<unknown> {
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return ((await response.json()) as { error: { data: { reason: string } } }).error.data.reason;
}

describe('a tRPC batch', () => {
  it('holds at most twenty calls', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    const twenty = await batchOf(service, 20, token);
    expect([twenty.status, await twenty.json()]).toEqual([
      200,
      Array.from({ length: 20 }, () => ({ result: expect.anything() })),
    ]);
    const more = await batchOf(service, 21, token);
    expect([more.status, await refusalIn(more)]).toEqual([400, 'invalid_input']);
  });
});

describe('the tRPC transport', () => {
  it('refuses bodies that are not JSON with a JSON error', async () => {
    await using service = await start();
    const credentials = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const response = await fetch(`${service.url}/trpc/login.web`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify(credentials),
      });
      expect([response.status, await refusalIn(response)]).toEqual([415, 'unsupported_media_type']);
    }
  });
});
