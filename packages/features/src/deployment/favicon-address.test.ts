import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp as createMainApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { expect, it } from 'vitest';

it.each([
  ['the portal', 'web', {}, 302, '/portal/mark.svg'],
  ['the console', 'admin', {}, 302, '/console/mark.svg'],
  ['nothing without a portal', 'web', { PORTAL: 'off' }, 404, null],
] as const)(
  '/favicon.ico redirects to the icon of %s',
  async (_screens, application, env, status, location) => {
    const createApp = application === 'web' ? createMainApp : createAdminApp;
    await using service = await startService(createApp, { application, dialect: 'libsql', env });
    const response = await fetch(`${service.url}/favicon.ico`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([status, location]);
  },
);
