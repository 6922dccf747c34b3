import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { type RunningService, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const start = (application: 'web' | 'admin') =>
  startService(application === 'web' ? createMain : createAdmin, { dialect, application });

async function shownAt(service: RunningService, path: string, headers: Record<string, string> = {}) {
  const response = await service.send(path, { headers: { ...BROWSER, ...headers } });
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  return { status: response.status, type, text: await response.text() };
}

describe.each(['web', 'admin'] as const)('an address of the service for %s', (application) => {
  it('that does not exist is a page to a person, in their language, and JSON to a program', async () => {
    await using service = await start(application);
    for (const path of ['/impersonate', '/no-such-page?next=<b>']) {
      const page = await shownAt(service, path);
      expect([path, page.status, page.type]).toEqual([path, 404, 'text/html']);
      expect(page.text).toContain('<h1>Page not found</h1>');
      expect(page.text).toContain('<a href="/">Go to the start page</a>');
      expect(page.text).not.toContain('<b>');
      const german = await shownAt(service, path, { 'accept-language': 'de' });
      expect(german.text).toMatch(/<html lang="de">.*<h1>Seite nicht gefunden</s);
      for (const headers of [{}, { accept: '*/*' }, { ...BROWSER, authorization: 'Bearer x' }]) {
        const answer = await service.send(path, { headers });
        expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
      }
    }
  });

  it('of the API answers a person as a program', async () => {
    await using service = await start(application);
    const { status, type } = await shownAt(service, '/v1/session/list');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(type).not.toBe('text/html');
  });
});

describe('the way to a provider', () => {
  it('says to a person why it leads nowhere, and where to go', async () => {
    await using service = await start('web');
    expect(await shownAt(service, '/social/nobody')).toMatchObject({ status: 404, type: 'text/html' });
    const page = await shownAt(service, '/social/google');
    expect(page.type).toBe('text/html');
    expect(page.text).toContain('<h1>This page cannot be shown</h1>');
    expect(page.text).toContain('This provider is not configured.');
    const answer = await service.send('/social/google');
    expect([answer.status, await answer.json()]).toMatchObject([
      page.status,
      { error: { code: 'provider_not_configured' } },
    ]);
  });
});
