import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { createService } from '@gatehouse/http/create-service';
import { raw } from '@gatehouse/http/rest/route';
import { type RunningService, sendRaw, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { t } from '../core/context.js';

const begun = raw(['GET'], '/begun', {
  summary: 'Begins an answer and never ends it',
  about: { tag: 'machines', answers: {}, refuses: [] },
  handle: ({ response }) => {
    response.write('begun');
  },
});
const slow = raw(['GET'], '/slow', {
  summary: 'Answers when the test says so',
  about: { tag: 'machines', answers: {}, refuses: [] },
  handle: ({ response }) => {
    waiting.push(response);
  },
});
const waiting: ServerResponse[] = [];
const deployment = { name: 'unread', version: '0', router: t.router({}), routes: [begun, slow] };

const start = () =>
  startService((services) => createService(deployment, services), {
    dialect: inject('dialect'),
    application: 'web',
  });

/**
 * All data received until the connection closes. `more` is sent after the first data arrived and `meanwhile`
 * has run.
 */
function say(
  { url }: RunningService,
  text: string,
  more?: string,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      if (more !== undefined && answer === '') meanwhile().then(() => socket.write(more), reject);
      answer += chunk.toString();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });
}

describe('a request that cannot be parsed', () => {
  it('is answered like any request, with the headers and the log line of every other answer', async () => {
    await using service = await start();
    const cases = [
      ['\u0016\u0003\u0001 no HTTP at all\r\n\r\n', 400, 'invalid_input'],
      ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, 'invalid_input'],
      [`GET / HTTP/1.1\r\nHost: a\r\nToken: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'payload_too_large'],
    ] as const;
    for (const [text, status, code] of cases) {
      const [head = '', body = ''] = (await say(service, text)).split('\r\n\r\n');
      const { requestId, ...rest } = JSON.parse(body) as { requestId: string };
      expect(rest).toEqual({ status: false, message: expect.any(String), error: { code } });
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head).toContain(`X-Request-Id: ${requestId}`);
      expect(head).toContain('X-Content-Type-Options: nosniff');
      expect(head).toContain('Cache-Control: no-store');
      expect(service.logLines.filter((line) => line.includes(requestId))).toHaveLength(1);
    }
    expect((await service.send('/healthz')).status).toBe(200);
  });

  it('is answered to the pages that may call, which can read why', async () => {
    await using service = await start();
    const origin = new URL(service.services.config.APP_URL).origin;
    const tooLong = (from: string) =>
      `GET / HTTP/1.1\r\nHost: a\r\nOrigin: ${from}\r\nToken: ${'a'.repeat(20_000)}\r\n\r\n`;
    const torn = `POST / HTTP/1.1\r\nHost: a\r\norigin:${origin}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`;
    for (const text of [tooLong(origin), torn]) {
      const answer = await say(service, text);
      expect(answer).toContain(`\r\nAccess-Control-Allow-Origin: ${origin}\r\n`);
      expect(answer).toMatch(/\r\nAccess-Control-Expose-Headers: [^\r]*X-Request-Id/);
    }
    expect(await say(service, tooLong('https://evil.test'))).not.toContain('Access-Control-Allow-Origin');
    // The origin of the request was not read, and the answer is the same for everybody.
    expect(await say(service, 'no HTTP at all\r\n\r\n')).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
  });

  it.each([
    [
      'a header that is too long before the origin',
      (origin: string) =>
        `GET / HTTP/1.1\r\nHost: a\r\nToken: ${'a'.repeat(20_000)}\r\nOrigin: ${origin}\r\n\r\n`,
      '431',
    ],
    [
      'an address that is too long',
      (origin: string) => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\n\r\n`,
      '431',
    ],
    [
      'many cookies',
      (origin: string) =>
        `GET / HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nCookie: ${'a=b; '.repeat(4_000)}\r\n\r\n`,
      '431',
    ],
    [
      'a preflight with a header that is too long',
      (origin: string) =>
        `OPTIONS / HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nAccess-Control-Request-Method: POST\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431',
    ],
    [
      'no host',
      (origin: string) => `GET /healthz HTTP/1.1\r\nOrigin: ${origin}\r\nConnection: close\r\n\r\n`,
      '400',
    ],
    [
      'a length that is no number',
      (origin: string) => `POST / HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nContent-Length: ten\r\n\r\n`,
      '400',
    ],
    [
      'a length beside chunks',
      (origin: string) =>
        `POST / HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '400',
    ],
    [
      'a header with a NUL',
      (origin: string) => `GET / HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nX-Nul: a\0b\r\n\r\n`,
      '400',
    ],
    [
      'a header name with a blank',
      (origin: string) => `GET / HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nX Name: a\r\n\r\n`,
      '400',
    ],
    [
      'a version of tomorrow',
      (origin: string) => `GET / HTTP/9.9\r\nHost: a\r\nOrigin: ${origin}\r\n\r\n`,
      '400',
    ],
    [
      'a method that is none',
      (origin: string) => `G€T / HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\n\r\n`,
      '400',
    ],
    [
      'chunks that are none',
      (origin: string) =>
        `POST /healthz HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      '4..',
    ],
  ])(
    'is answered so that a page of this installation can read the answer: %s',
    async (_what, request, status) => {
      await using service = await start();
      const origin = new URL(service.services.config.APP_URL).origin;
      const answer = await say(service, request(origin));
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toMatch(new RegExp(`\r\nAccess-Control-Allow-Origin: (?:\\*|${origin})\r\n`, 'i'));
      expect(answer).toMatch(/\r\nAccess-Control-Expose-Headers: [^\r]*X-Request-Id/i);
      expect(answer).toMatch(/\r\nX-Request-Id: /i);
      expect(answer).toContain('"error":{"code":');
      const foreign = await say(service, request('https://evil.test'));
      expect(foreign).not.toContain('https://evil.test');
      expect(foreign).not.toMatch(/allow-credentials/i);
    },
  );

  it('is refused as a tunnel after earlier requests on the connection, and opens none', async () => {
    waiting.length = 0;
    await using service = await start();
    const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
    const smuggled = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';
    const alone = await sendRaw(service.url, `${tunnel}${smuggled}`);
    expect(alone.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 405']);
    expect(alone).toContain('"code":"method_not_allowed"');
    const behind = sendRaw(service.url, `${smuggled}${tunnel}`);
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.end('slow');
    expect((await behind).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405']);
    for (let reset = 0; reset < 50; reset += 1) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
        socket.write(tunnel);
        socket.resetAndDestroy();
      });
      socket.on('error', () => socket.destroy());
    }
    expect((await service.send('/healthz')).status).toBe(200);
  });

  it('adds nothing to an answer that has begun', async () => {
    await using service = await start();
    const answer = await say(service, 'GET /begun HTTP/1.1\r\nHost: a\r\n\r\n', 'no HTTP at all\r\n\r\n');
    expect(answer).toMatch(/begun\r\n$/);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('adds nothing to an answer that has begun while another waits behind it and a third is being written', async () => {
    waiting.length = 0;
    await using service = await start();
    const elsewhere = service.send('/slow');
    await expect.poll(() => waiting.length).toBe(1);
    const pipeline = 'GET /begun HTTP/1.1\r\nHost: a\r\n\r\nGET /slow HTTP/1.1\r\nHost: a\r\n\r\n';
    const answer = say(service, pipeline, 'no HTTP at all\r\n\r\n', async () => {
      await expect.poll(() => waiting.length).toBe(2);
      waiting[0]?.end();
      await (await elsewhere).arrayBuffer();
    });
    expect((await answer).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
