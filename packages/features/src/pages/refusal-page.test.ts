import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { type RunningService, sendRaw, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
/** What Java's client asks for by default. */
const JAVA = { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' };

const start = (application: 'web' | 'admin') =>
  startService(application === 'web' ? createMain : createAdmin, { dialect, application });

/** The answer to a browser that opens an address. `fetch` would say that it does not. */
async function shownAt({ url }: RunningService, path: string, language = 'en') {
  const headers = `Host: ${new URL(url).host}\r\nSec-Fetch-Mode: navigate\r\nAccept-Language: ${language}\r\nConnection: close`;
  const text = await sendRaw(url, `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
  const [, status, type = ''] = /^HTTP\/1\.1 (\d+) .*?^content-type: ([^;\r]+)/ims.exec(text) ?? [];
  return { status: Number(status), type, text };
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
      const german = await shownAt(service, path, 'de');
      expect(german.text).toMatch(/<html lang="de">.*<h1>Seite nicht gefunden</s);
      for (const headers of [{}, { accept: '*/*' }, JAVA]) {
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
