// @module-tag slow

import { randomBytes } from 'node:crypto';
import { createService } from '@gatehouse/http/create-service';
import { raw } from '@gatehouse/http/rest/route';
import { type RunningService, sendRaw, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { t } from '../core/context.js';

/** Four begin at once, and four more in the next turn of the event loop. */
const AT_MOST = 8;
const REQUESTS = 60;

interface BoundedQueue {
  readonly counts: number[];
  count(): void;
}

/** Counts the events in each turn of the event loop. */
function countRounds(): BoundedQueue {
  const counts: number[] = [];
  let isCounting = false;
  return {
    counts,
    count() {
      if (!isCounting) {
        isCounting = true;
        counts.push(0);
        setImmediate(() => {
          isCounting = false;
        });
      }
      counts.push((counts.pop() ?? 0) + 1);
    },
  };
}

async function begunPerTurn(
  headers: (service: RunningService) => Promise<string>,
): Promise<BoundedQueue['counts']> {
  const rounds = countRounds();
  const open = raw(['GET'], '/open', {
    summary: 'Counts',
    about: { tag: 'machines', answers: {}, refuses: [] },
    handle: ({ response }) => {
      rounds.count();
      response.end();
    },
  });
  const deployment = { name: 'admission', version: '0', router: t.router({}), routes: [open] };
  await using service = await startService((services) => createService(deployment, services), {
    dialect: inject('dialect'),
    application: 'web',
  });
  const request = `GET /open HTTP/1.1\r\nHost: a\r\n${await headers(service)}\r\n`;
  await sendRaw(service.url, request.repeat(REQUESTS));
  expect(rounds.counts.reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
  return rounds.counts;
}

const sealed = ({ services }: RunningService) =>
  services.tokens.sealSession({
    userId: 3,
    role: 1,
    defaultPaymentId: 1,
    accountId: 1,
    isPersonnel: false,
  }).token;

describe('a burst of requests', () => {
  it.each([
    ['no token', ''],
    ['a made-up session token', `Token: ${randomBytes(300).toString('base64url')}\r\n`],
    ['a made-up bearer token', 'Authorization: Bearer abc\r\n'],
    ['credentials of another kind', 'Authorization: Basic abc\r\n'],
    ['an empty token', 'Token:\r\n'],
  ])('with %s starts only a few in each turn of the event loop', async (_, header) => {
    const counts = await begunPerTurn(() => Promise.resolve(header));
    expect(Math.max(...counts)).toBeLessThanOrEqual(AT_MOST);
  });

  it('with a session token does not wait', async () => {
    const counts = await begunPerTurn((service) => {
      const token = sealed(service);
      service.services.tokens.openSession(token);
      return Promise.resolve(`Token: ${token}\r\n`);
    });
    expect(Math.max(...counts)).toBeGreaterThan(AT_MOST);
  });
});
