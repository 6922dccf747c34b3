import { createApp } from '@gatehouse/api-main/app';
import { createDataCipher } from '@gatehouse/auth-core';
import { DEMONSTRATION_API_KEY } from '@gatehouse/runtime/config/secrets';
import { createTestDatabase, seedTestDatabase, startService, testConfig } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { seedDemoPrograms } from './seed-demo.js';

const dialect = inject('dialect');

it.each([
  ['opens an account in development', 200, {}],
  ['opens nothing in production', 401, { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:25' }],
])('the API key of the demonstration %s', async (_, status, env) => {
  await using world = await createTestDatabase(dialect);
  const { database } = world;
  await seedTestDatabase(database);
  const cipher = createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY });
  await seedDemoPrograms(database, { cipher, nowMs: Date.now(), endpointUrl: 'http://127.0.0.1:4030/' });
  await using service = await startService(createApp, { dialect, application: 'web', database, env });
  const called = await service.send('/v1/member/list', { bearer: DEMONSTRATION_API_KEY });
  expect(called.status).toBe(status);
});
