import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { sendFailure } from '../rest/reply.js';
import type { Failure } from '../server/request-failure.js';
import { REFUSAL_SCHEMAS } from './answers.js';

/** All fields that a failure can have. */
const FAILURE: Required<Failure> = {
  code: 'unconfirmed',
  status: 403,
  message: 'Not that.',
  issues: [{ path: 'email', message: 'is wrong' }],
  retryAfterSeconds: 1,
  policy: { name: 'test', quota: 1, windowSeconds: 1 },
  verification: { level: 2, maxAgeSeconds: 600, methods: ['totp'] },
  step: {
    challenge: 'challenge',
    methods: ['totp'],
    expiresAt: '2026-12-01T00:00:00.000Z',
    emailWithheldUntil: '2026-12-01T00:00:00.000Z',
  },
  signals: { rpId: 'gatehouse.test', credentialId: 'credential' },
  flow: 'flow',
  startUrl: 'https://gatehouse.test/start',
  isForeseen: true,
};

it.each([
  ['application/json', 'ApiError'],
  ['application/problem+json', 'Problem'],
])('the fields of a refusal in %s are those that the OpenAPI documents describe', async (accept, schema) => {
  const server = createServer((_request, response) => {
    sendFailure(response, FAILURE, { requestId: 'request', accept, path: '/v1/test' });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const answer = (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as { error?: object };
  server.close();

  const { properties = {} } = REFUSAL_SCHEMAS[schema] as { properties?: Record<string, object> };
  expect(Object.keys(answer).toSorted()).toEqual(Object.keys(properties).toSorted());
  if (answer.error === undefined) return;
  const { properties: fields = {} } = properties['error'] as { properties?: object };
  expect(Object.keys(answer.error).toSorted()).toEqual(Object.keys(fields).toSorted());
});
