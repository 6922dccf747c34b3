import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp as createMainApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

const WELL_KNOWN = '/.well-known/change-password';

async function pageAt(
  application: 'web' | 'admin',
  env: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<[number, string | null]> {
  const createApp = application === 'web' ? createMainApp : createAdminApp;
  await using service = await startService(createApp, { application, dialect: 'libsql', env });
  const response = await fetch(`${service.url}${WELL_KNOWN}`, { method, redirect: 'manual' });
  return [response.status, response.headers.get('location')];
}

const OWN = { APP_URL: 'http://127.0.0.1:4000', BASE_URL: 'http://127.0.0.1:4000' };

describe('the well-known address at which password managers find the page to change a password', () => {
  it.each([
    ['the portal', 'web', OWN, '/portal/you/security'],
    ['our own page where there is no portal', 'web', { ...OWN, PORTAL: 'off' }, '/forgot'],
    ['the console', 'admin', {}, '/console/me'],
  ] as const)('leads to %s', async (_page, application, env, location) => {
    expect(await pageAt(application, env)).toEqual([302, location]);
    expect((await pageAt(application, env, 'HEAD'))[0]).toBe(302);
  });

  it('redirects with any suffix, signs nobody in, and is not cached', async () => {
    await using service = await startService(createMainApp, {
      application: 'web',
      dialect: 'libsql',
      env: { ...OWN, PORTAL: 'off' },
    });
    for (const address of [`${WELL_KNOWN}?source=manager`, `${WELL_KNOWN}?`]) {
      const response = await fetch(`${service.url}${address}`, { redirect: 'manual' });
      expect([address, response.status, response.headers.get('location')]).toEqual([address, 302, '/forgot']);
      expect(response.headers.get('cache-control')).toMatch(/no-store|no-cache/);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect((await fetch(`${service.url}${WELL_KNOWN}`, { method: 'POST', redirect: 'manual' })).status).toBe(
      405,
    );
  });

  it('can be trusted by password managers, because an unknown address beside it answers 404', async () => {
    const absent = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
    for (const application of ['web', 'admin'] as const) {
      const createApp = application === 'web' ? createMainApp : createAdminApp;
      await using service = await startService(createApp, { application, dialect: 'libsql' });
      for (const path of [absent, `${WELL_KNOWN}/x`, '/.well-known/change-passwords'])
        expect([
          application,
          path,
          (await fetch(`${service.url}${path}`, { redirect: 'manual', headers: { accept: 'text/html' } }))
            .status,
        ]).toEqual([application, path, 404]);
    }
  });

  it('does not exist when another site has the page, so that its answer is not mistaken for one', async () => {
    expect(await pageAt('web', { APP_URL: 'https://app.example.test', PORTAL: 'off' })).toEqual([404, null]);
    expect(await pageAt('admin', { CONSOLE: 'off' })).toEqual([404, null]);
  });
});
