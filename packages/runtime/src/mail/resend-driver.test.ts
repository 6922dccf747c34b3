import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createResendDriver } from './resend-driver.js';

const mail = {
  idempotencyKey: 'a1b2c3',
  kind: 'activation',
  to: 'ada@lovelace.test',
  subject: 'Confirm your email address',
  text: 'Confirm',
  html: '<p>Confirm</p>',
};

interface Received {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** A provider with configured answers, and the driver that talks to it through Resend's SDK. */
async function startProvider(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const key = request.headers['idempotency-key'];
      received.push({
        path: request.url,
        key: Array.isArray(key) ? key[0] : key,
        authorization: request.headers.authorization,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const driver = createResendDriver({
    apiKey: 're_test',
    from: 'Gatehouse <no-reply@gatehouse.test>',
    baseUrl: `http://127.0.0.1:${address.port}`,
    timeoutMs: 300,
  });
  return {
    driver,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const json = (status: number, body: object) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

describe('delivery by Resend', () => {
  it('sends the mail with its idempotency key', async () => {
    await using provider = await startProvider(json(200, { id: 'e1' }));
    expect(await provider.driver.deliver(mail)).toEqual({ outcome: 'sent' });
    expect(provider.received).toMatchObject([
      {
        path: '/emails',
        key: 'a1b2c3',
        authorization: 'Bearer re_test',
        body: {
          from: 'Gatehouse <no-reply@gatehouse.test>',
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
        },
      },
    ]);
  });

  it.each([
    ['is broken', json(500, { name: 'application_error', statusCode: 500, message: 'x' })],
    ['is busy', json(429, { name: 'rate_limit_exceeded', statusCode: 429, message: 'x' })],
    ['does not know our key', json(401, { name: 'missing_api_key', statusCode: 401, message: 'x' })],
    ['does not know our domain', json(403, { name: 'validation_error', statusCode: 403, message: 'x' })],
    [
      'is handling the same mail',
      json(409, { name: 'concurrent_idempotent_requests', statusCode: 409, message: 'x' }),
    ],
    [
      'answers with a page',
      (response: ServerResponse) => void response.writeHead(502).end('<html>Bad gateway</html>'),
    ],
    ['answers with nothing of use', json(200, {})],
    ['hangs up', (response: ServerResponse) => void response.destroy()],
    [
      'hangs up in the middle',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"id":');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ['says nothing', () => undefined],
    [
      'begins to answer and stalls',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"id":');
      },
    ],
  ])('is retried when the provider %s', async (_what, answer) => {
    await using provider = await startProvider(answer);
    const startedAt = performance.now();
    expect(await provider.driver.deliver(mail)).toMatchObject({ outcome: 'retry' });
    expect(performance.now() - startedAt).toBeLessThan(1500);
  });

  it('is retried when no server listens', async () => {
    const driver = createResendDriver({
      apiKey: 'k',
      from: 'a@b.test',
      baseUrl: 'http://127.0.0.1:1',
      timeoutMs: 300,
    });
    expect(await driver.deliver(mail)).toMatchObject({ outcome: 'retry' });
  });

  it('is given up when the mail itself is refused', async () => {
    await using provider = await startProvider(
      json(422, {
        name: 'validation_error',
        statusCode: 422,
        message: 'Invalid `to` field: ada@lovelace.test',
      }),
    );
    const delivery = await provider.driver.deliver(mail);
    expect(delivery).toEqual({ outcome: 'refused', reason: 'resend 422 validation_error' });
  });

  it('is regarded as done when the provider accepted the mail earlier', async () => {
    await using provider = await startProvider(
      json(409, { name: 'invalid_idempotent_request', statusCode: 409, message: 'x' }),
    );
    expect(await provider.driver.deliver(mail)).toEqual({ outcome: 'sent' });
  });
});
