import { insertTestInvitation, linkOf } from '@gatehouse/features/test/invitations';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { startAccessWorld, walkForeignPages } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { createApp } from './app.js';
import { router } from './router.js';
import { GUARDED_CALLS } from './test/guarded-calls.js';

const PASSWORD = 'a page from elsewhere 42';

it('the main service refuses each change that another site requests with a cookie, and writes nothing', async () => {
  await using simulator = await startProviderSimulator();
  await using world = await startAccessWorld(createApp, {
    dialect: inject('dialect'),
    application: 'web',
    env: {
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      ...billingEnvironment(simulator.url),
    },
  });
  const changes = listProcedures(router).filter(({ type }) => type === 'mutation');
  const invitationId = await insertTestInvitation(world.db, { accountId: 1, inviterId: 3 });
  const token = await linkOf({ services: world.service.services, database: world.db }, invitationId);
  const owner = { email: 'owner@acme.test' };
  const withoutGuard = {
    ...Object.fromEntries(
      changes.filter(({ rule }) => rule?.who === 'anyone').map(({ name }): [string, object] => [name, {}]),
    ),
    'invitation.join': { token, username: 'joined', password: PASSWORD },
    'registration.register': { username: 'new', email: 'new@many.test', password: PASSWORD },
    'signIn.password': { ...owner, password: 'Lantern-Harbor-42' },
    'password.forgot': owner,
    'login.requestOneTimePassword': owner,
    'signIn.requestEmail': owner,
  };
  const walked = await walkForeignPages(world, GUARDED_CALLS, withoutGuard);
  const calls = new Set(walked.map(({ call }) => call));
  const without = changes.filter(({ name }) => !calls.has(name)).map(({ name }) => name);
  expect(without, 'add a call of these to src/test/guarded-calls.ts').toEqual([]);
  expect(walked).toEqual(
    walked.map(({ call }) => ({ call, status: 403, code: 'origin_refused', changed: [] })),
  );
}, 300_000);
