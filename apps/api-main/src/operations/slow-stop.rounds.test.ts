import { once } from 'node:events';
import { connect } from 'node:net';
import { createTestDatabase, spawnService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';

const HEAD = [
  'POST /v1/signIn/password HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 200',
  // The service answers it as soon as it has read this head.
  'Expect: 100-continue',
  '',
  '{',
].join('\r\n');

it('the service stops in order while a client keeps sending single bytes', async () => {
  await using test = await createTestDatabase(inject('dialect'));
  await using service = await spawnService('api-main', { databaseUrl: test.url });
  await expect.poll(() => service.output(), { timeout: 20_000 }).toContain('"ready"');
  const stranger = connect(Number(new URL(service.url).port), '127.0.0.1');
  stranger.on('error', () => undefined);
  await once(stranger, 'connect');
  stranger.write(HEAD);
  await once(stranger, 'data');
  const drip = setInterval(() => stranger.writable && stranger.write(' '), 1_000);
  try {
    const startedAt = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThan(15_000);
    expect(service.output()).toContain('"stopped"');
  } finally {
    clearInterval(drip);
    stranger.destroy();
  }
}, 60_000);
