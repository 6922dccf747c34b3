import { connect } from 'node:net';
import { createService } from '@gatehouse/http/create-service';
import { raw } from '@gatehouse/http/rest/route';
import { startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { t } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';

const dialect = inject('dialect');

/** A service with handlers that wait for a signal to answer. */
async function start(env: Record<string, string>) {
  let speak = () => {};
  let spoken = 0;
  const told = new Promise<void>((resolve) => {
    speak = resolve;
  });
  const late = raw(['GET', 'POST'], '/late', {
    summary: 'Answers late',
    about: { tag: 'machines', answers: {}, refuses: [] },
    handle: async ({ response }) => {
      await told;
      response.setHeader('X-Late', 'yes');
      response.end('late');
      spoken += 1;
    },
  });
  const never = publicProcedure
    .meta({ about: { summary: 'Answers late' } })
    .output(z.object({}))
    .query(async () => {
      await told;
      spoken += 1;
      return {};
    });
  const deployment = { name: 'slow', version: '0', router: t.router({ never }), routes: [late] };
  const service = await startService((services) => createService(deployment, services), {
    dialect,
    application: 'web',
    env,
  });
  return { ...service, speak, spoken: () => spoken };
}

/** The answer to a client that opens a connection, sends this, and then stays silent. */
function sayAndWait(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });
}

describe('a handler that takes too long', () => {
  it('becomes a 503 on either transport, and its late answer has no effect', async () => {
    await using service = await start({ HANDLER_TIMEOUT_MS: '200' });
    const answers = await Promise.all([service.send('/late'), service.send('/trpc/never')]);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await answer.json()).toMatchObject({ status: false, error: { code: 'unavailable' } });
    }
    service.speak();
    await expect.poll(() => service.spoken()).toBe(2);
    expect((await service.send('/healthz')).status).toBe(200);
    expect(service.logLines.filter((line) => line.includes('"failure"'))).toEqual([]);
  });
});

describe('a client that sends slowly', () => {
  it('is cut off, in the headers and in the body', async () => {
    await using service = await start({ HEADERS_TIMEOUT_MS: '300', REQUEST_TIMEOUT_MS: '600' });
    const port = Number(new URL(service.url).port);
    const [headers, body] = await Promise.all([
      sayAndWait(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: '),
      sayAndWait(port, 'POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{'),
    ]);
    expect(headers).toMatch(/^HTTP\/1\.1 408 /);
    expect(body).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('has its idle connection closed without an answer, which would be read as that of its next request', async () => {
    await using service = await start({ HEADERS_TIMEOUT_MS: '300', REQUEST_TIMEOUT_MS: '600' });
    expect(await sayAndWait(Number(new URL(service.url).port), '')).toBe('');
  });

  it('gets an answer that its page can read: during the headers, before them, and during the body', async () => {
    await using service = await start({ HEADERS_TIMEOUT_MS: '300', REQUEST_TIMEOUT_MS: '600' });
    const port = Number(new URL(service.url).port);
    const { origin } = new URL(service.services.config.APP_URL);
    const answers = await Promise.all([
      sayAndWait(port, `GET /healthz HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nX-Slow: `),
      sayAndWait(port, 'GET /heal'),
      sayAndWait(port, `POST /late HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nContent-Length: 10\r\n\r\n{`),
    ]);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).toMatch(new RegExp(`\r\nAccess-Control-Allow-Origin: (?:\\*|${origin})\r\n`, 'i'));
    }
  });
});
