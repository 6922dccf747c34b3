import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp } from '@gatehouse/api-main/app';
import { createTestFolder, developmentEnvironment, readOutbox, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const start = (env: Record<string, string>) => startService(createApp, { dialect, application: 'web', env });

/** The status of a GET with any `Host`, which fetch does not allow. */
function statusOf(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject);
    call.end();
  });
}

describe('the development outbox', () => {
  it('shows mails only to a person at this machine, in a browser and as JSON', async () => {
    await using service = await start(developmentEnvironment());
    await service.send('/forgotPassword', { body: { email: 'owner@acme.test' } });
    const [mail] = await readOutbox(service);
    expect(mail).toMatchObject({ to: 'owner@acme.test', state: 'pending' });
    const page = await service.send('/dev/outbox', { headers: { accept: 'text/html,*/*' } });
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await page.text()).toContain(mail?.token);
    const one = await service.send(`/dev/outbox/${mail?.id}`);
    expect(await one.text()).toContain(mail?.token);
    expect(one.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'/,
    );
    expect(await (await service.send('/dev/outbox/newest')).json()).toEqual({
      status: true,
      data: { id: mail?.id },
    });
    for (const id of ['0', '999', '-1', '1e3', 'x', '9007199254740993', '%00']) {
      expect([id, (await service.send(`/dev/outbox/${id}`)).status]).toEqual([id, 404]);
    }
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
      expect((await service.send('/dev/outbox', { headers: { [header]: '127.0.0.1' } })).status).toBe(404);
      const newest = await service.send('/dev/outbox/newest', { headers: { [header]: '127.0.0.1' } });
      expect([header, newest.status]).toEqual([header, 404]);
    }
    expect(await statusOf(`${service.url}/dev/outbox`, 'localhost:4000')).toBe(200);
    for (const host of [
      'evil.test',
      '127.0.0.1.evil.test',
      'localhost.evil.test:4000',
      'localhost@evil.test',
    ]) {
      expect([host, await statusOf(`${service.url}/dev/outbox`, host)]).toEqual([host, 404]);
    }
  });

  it.each<[string, Record<string, string>]>([
    ['in production', { NODE_ENV: 'production', MAIL_OUTBOX_ONLY: 'true' }],
    ['under test', { NODE_ENV: 'test' }],
    ['where mail leaves by Resend', { ...developmentEnvironment(), RESEND_API_KEY: 're_x' }],
    ['where mail leaves by SMTP', { ...developmentEnvironment(), SMTP_URL: 'smtp://127.0.0.1:1' }],
  ])('does not exist %s', async (_where, env) => {
    await using service = await start(env);
    for (const path of ['/dev/outbox', '/dev/outbox/', '/DEV/Outbox', '/dev/outbox/1']) {
      const response = await service.send(path);
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        404,
        { error: { code: 'not_found' } },
      ]);
    }
  });
});

const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
});

describe('the pages that mails link to', () => {
  it('are ours only while APP_URL is our own address', async () => {
    await using service = await start({ APP_URL: 'https://app.example.com' });
    for (const path of [
      '/confirm?token=x',
      '/email-approval?token=x',
      '/invitation?token=x',
      '/reset?token=x',
      '/forgot',
    ]) {
      expect([path, (await service.send(path)).status]).toEqual([path, 404]);
    }
    expect((await service.send('/forgot', { body: { email: 'owner@acme.test' } })).status).toBe(404);
  });

  it('redirect to the portal only when it is built and served', async () => {
    await using folder = await createTestFolder();
    writeFileSync(join(folder.path, 'home.html'), '<!doctype html>');
    const portal = pathToFileURL(`${folder.path}/`);
    const scripts = async (files: URL, env: Readonly<Record<string, string>> = {}) => {
      await using service = await startService((services) => createApp(services, files), {
        dialect,
        application: 'web',
        env: { ...developmentEnvironment(), ...env },
      });
      return /<script[^>]* src="([^"]*)"/.exec(await (await service.send('/forgot')).text())?.[1];
    };
    expect(await scripts(portal)).toBe('/portal/forward.js');
    expect(await scripts(portal, { PORTAL: 'off' })).toBeUndefined();
    expect(await scripts(new URL('none/', portal))).toBeUndefined();
  });

  it('show no text of a link but the names of our providers', async () => {
    await using service = await start({ ...developmentEnvironment(), PORTAL: 'off' });
    const shown = async (provider: string) => {
      const query = new URLSearchParams({ code: 'x', provider });
      return (await service.send(`/socialAuth?${query.toString()}`)).text();
    };
    expect(await shown('google')).toContain('You can connect your Google account');
    const hostile = await shown('account is locked. Call us at once about your');
    expect([hostile.includes('locked'), hostile.includes('Your session token')]).toEqual([false, true]);
  });

  it('run no script, link nowhere else, and report an error with its status', async () => {
    await using service = await start({ ...developmentEnvironment(), PORTAL: 'off' });
    const answers = [
      [200, await service.send('/forgot')],
      [403, await service.send('/confirm?token=x')],
      [403, await service.send('/confirm')],
      [403, await service.send('/invitation?token=x')],
      [403, await service.send('/reset?token=a&token=b')],
      [403, await service.send('/confirm', form({ token: 'x' }))],
      [400, await service.send('/reset', form({ token: 'x', password: 'short' }))],
      [400, await service.send('/forgot', form({ email: '' }))],
      [200, await service.send('/forgot', form({ email: ' owner@acme.test ' }))],
    ] as const;
    for (const [status, response] of answers) {
      expect(response.status).toBe(status);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self';/);
      expect(policy).not.toContain('unsafe');
      expect(response.headers.get('referrer-policy')).toBe('same-origin');
      expect(await response.text()).not.toMatch(/<script|javascript:|https?:\/\/(?!127)/i);
    }
    expect(
      (await service.send('/forgot', { body: '<a/>', headers: { 'content-type': 'text/xml' } })).status,
    ).toBe(415);
    expect(await readOutbox(service)).toHaveLength(1);
  });

  it('speak German to a browser that asks for it, also in what they refuse', async () => {
    await using service = await start({ ...developmentEnvironment(), PORTAL: 'off' });
    const headers = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' };
    const read = async (response: Response) => {
      const page = await response.text();
      const [text = ''] = /<body>.*<\/body>/s.exec(page) ?? [];
      return [/lang="de"/.test(page), text.replaceAll(/<[^>]*>/g, ' ')] as const;
    };
    const english = /\b(?:the|your|you|is|this|that|must|enter|password|please|sign)\b/i;
    const visits = ['confirm', 'email-approval', 'invitation', 'recovery', 'reset', 'restore'].map(
      (path) => `/${path}?token=x`,
    );
    for (const path of [...visits, '/billing', '/forgot', '/registration', '/signIn', '/socialAuth']) {
      const page = path === '/registration' ? '/register' : path;
      const [isGerman, text] = await read(await service.send(page, { headers }));
      expect([page, isGerman, text.match(english)]).toEqual([page, true, null]);
    }
    const sent = {
      confirm: { token: 'x' },
      'email-approval': { token: 'x', approve: 'true' },
      forgot: { email: 'nobody' },
      invitation: { token: 'x', action: 'decline' },
      recovery: { token: 'x' },
      registration: { email: 'a@b.test', username: 'ada', password: 'password1' },
      reset: { token: 'x', password: 'short' },
      restore: { token: 'x', password: 'wrong' },
      signIn: { code: '12345678' },
      socialAuth: { user: 'x' },
    };
    for (const [path, fields] of Object.entries(sent)) {
      const [isGerman, text] = await read(await service.send(`/${path}`, form(fields, headers)));
      expect([path, isGerman, text.match(english)]).toEqual([path, true, null]);
      expect([path, text]).toEqual([path, expect.stringMatching(/[a-zäöü]{3}/)]);
    }
  });

  it('redirect browsers with scripts to the portal if there is one, except for forms', async () => {
    await using service = await start(developmentEnvironment());
    for (const path of ['/forgot', '/confirm?token=x', '/signIn']) {
      const page = await (await service.send(path)).text();
      expect([path, page.match(/<script[^>]*>/g)]).toEqual([
        path,
        ['<script type="module" src="/portal/forward.js">'],
      ]);
    }
    expect(await (await service.send('/forgot', form({ email: 'a@b.test' }))).text()).not.toContain(
      '<script',
    );
  });

  it('accept no form from another site', async () => {
    await using service = await start(developmentEnvironment());
    const paths = ['confirm', 'email-approval', 'forgot', 'invitation', 'recovery', 'registration', 'reset'];
    for (const path of [...paths, 'restore', 'signIn', 'socialAuth']) {
      for (const site of ['cross-site', 'same-site', 'other']) {
        const sent = form({ email: 'owner@acme.test', token: 'x' }, { 'sec-fetch-site': site });
        const refused = await service.send(`/${path}`, sent);
        expect([path, refused.status, await refused.json()]).toMatchObject([
          path,
          403,
          { error: { code: 'origin_refused' } },
        ]);
      }
    }
    for (const origin of ['https://elsewhere.test', 'http://localhost.elsewhere.test', 'null']) {
      const sent = form({ email: 'owner@acme.test' }, { origin });
      expect([origin, (await service.send('/forgot', sent)).status]).toEqual([origin, 403]);
    }
    expect(await readOutbox(service)).toEqual([]);
    for (const headers of [{ origin: new URL(service.services.config.BASE_URL).origin }, {}]) {
      const sent = form({ email: 'owner@acme.test' }, headers);
      expect([headers, (await service.send('/signIn', sent)).status]).toEqual([headers, 200]);
    }
    for (const site of ['same-origin', 'none']) {
      const sent = form({ email: 'owner@acme.test' }, { 'sec-fetch-site': site });
      expect((await service.send('/signIn', sent)).status).toBe(200);
    }
    const followed = await service.send('/signIn', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(followed.status).toBe(200);
  });
});
