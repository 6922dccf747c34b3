import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { developmentEnvironment, type RunningService, signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const start = (application: 'web' | 'admin', env: Record<string, string> = {}) =>
  startService(application === 'web' ? createMain : createAdmin, { dialect, application, env });
const open = (service: RunningService, headers: Record<string, string> = {}) =>
  service.send('/', { headers: { accept: BROWSER, ...headers } });

async function linksOf(service: RunningService): Promise<string[]> {
  return [...(await (await open(service)).text()).matchAll(/href="([^"]+)"/g)].map(([, link]) => link ?? '');
}

describe.each(['web', 'admin'] as const)('the address of the service for %s', (application) => {
  it('shows a browser what this is and which pages to visit, all of which exist', async () => {
    await using service = await start(application, developmentEnvironment());
    const response = await open(service);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    const page = await response.text();
    expect(page).toContain('<title>Welcome · Gatehouse</title>');
    expect(page).toContain('<span>Gatehouse</span></header>');
    const document = (await (await service.send('/openapi.json?tag=compatibility')).json()) as {
      paths: { '/': { get: { responses: Record<string, { content: object }> } } };
    };
    expect(Object.keys(document.paths['/'].get.responses['200']?.content ?? {})).toEqual([
      'application/json',
      'text/html',
    ]);
    const links = await linksOf(service);
    expect(links).toEqual(expect.arrayContaining(['/docs', '/openapi.json']));
    for (const link of links) {
      const place = await service.send(link, { headers: { accept: BROWSER } });
      // The admin service leads to the page of the main one.
      const leadsOn = link === '/forgot' && application === 'admin';
      expect([link, place.status]).toEqual([link, leadsOn ? 302 : 200]);
    }
  });

  it('answers programs with the documented bytes, and a bearer with any Accept header', async () => {
    await using service = await start(application);
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const refused = await service.send('/', { headers });
      expect([refused.status, await refused.text()]).toEqual([403, '']);
    }
    const wrong = await open(service, { authorization: 'Bearer x' });
    expect([wrong.status, await wrong.text()]).toEqual([403, '']);
    const body = { email: 'root@gatehouse.test', password: 'Lantern-Harbor-42' };
    const { token } = (await (await service.send('/authenticate', { body })).json()) as { token: string };
    const health = {
      status: true,
      message: 'The service is up',
      service: application === 'web' ? 'api-main' : 'api-admin',
      version: '0.1.0',
    };
    for (const accept of [BROWSER, '*/*']) {
      const answer = await service.send('/', { bearer: token, headers: { accept } });
      expect([answer.status, await answer.json()]).toEqual([200, health]);
    }
  });

  it('accepts no session token, as Scheme B requires', async () => {
    await using service = await start(application);
    const { token } = await signIn(service, 'root@gatehouse.test');
    expect((await service.send('/', { token })).status).toBe(403);
    expect((await service.send('/', { bearer: token })).status).toBe(403);
  });
});

describe('a deployment whose front end is on another host', () => {
  it('redirects there, and does not serve its own pages', async () => {
    await using service = await start('web', { APP_URL: 'https://app.example.test' });
    const links = await linksOf(service);
    expect(links).toEqual(['/docs', '/openapi.json', 'https://app.example.test']);
  });
});
