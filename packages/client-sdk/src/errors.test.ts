import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createMainClient, isGatehouseError, memoryStore } from './main.js';

const start = () => startService(createApp, { dialect: 'libsql', application: 'web' });
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('a refusal', () => {
  it('says what is wrong with which field, and the request id in the log', async () => {
    await using service = await start();
    const { api } = createMainClient({ url: service.url, store: memoryStore() });
    const error = await thrown(
      api.registration.register.mutate({ username: '', email: 'no', password: '1' }),
    );
    if (!isGatehouseError(error, 'invalid_input')) throw error;
    expect(new Set(error.data.issues?.map(({ path }) => path))).toEqual(
      new Set(['username', 'email', 'password']),
    );
    expect(error.data).toMatchObject({ httpStatus: 400, requestId: expect.stringMatching(/./) });
    expect(error.message).toBe('The request is not valid.');
  });

  it('says when to try again', async () => {
    await using service = await start();
    const gatehouse = createMainClient({ url: service.url, store: memoryStore() });
    const guess = () => thrown(gatehouse.signIn({ email: 'owner@acme.test', password: 'wrong-guess' }));
    let error = await guess();
    for (let tries = 1; tries < 30 && isGatehouseError(error, 'invalid_credentials'); tries++) {
      error = await guess();
    }
    if (!isGatehouseError(error, 'rate_limited', 'unavailable')) throw error;
    expect(error.data.reason).toBe('rate_limited');
    expect(error.data.retryAfterSeconds).toBeGreaterThan(0);
  });

  it('can be told apart from every other error', () => {
    for (const other of [
      undefined,
      null,
      'unauthorized',
      new Error('unauthorized'),
      { data: { reason: 'x' } },
    ])
      expect(isGatehouseError(other)).toBe(false);
  });
});
