import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { startAccessWorld, walkForeignPages } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { createApp } from './app.js';
import { router } from './router.js';
import { GUARDED_CALLS } from './test/guarded-calls.js';

it('the admin service refuses each change that another site requests with a cookie, and writes nothing', async () => {
  await using world = await startAccessWorld(createApp, {
    dialect: inject('dialect'),
    application: 'admin',
    env: { GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'google-secret' },
  });
  const changes = listProcedures(router).filter(({ type }) => type === 'mutation');
  const withoutGuard = changes.filter(({ rule }) => rule?.who === 'anyone');
  const walked = await walkForeignPages(
    world,
    GUARDED_CALLS,
    Object.fromEntries(withoutGuard.map(({ name }) => [name, {}])),
  );
  const calls = new Set(walked.map(({ call }) => call));
  const without = changes.filter(({ name }) => !calls.has(name)).map(({ name }) => name);
  expect(without, 'add a call of these to src/test/guarded-calls.ts').toEqual([]);
  expect(walked).toEqual(
    walked.map(({ call }) => ({ call, status: 403, code: 'origin_refused', changed: [] })),
  );
}, 300_000);
