import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { consumePendingAddress, setPendingAddress } from '@gatehouse/db/queries/pending-addresses';
import {
  createTestDatabase,
  createTestFolder,
  developmentEnvironment,
  type RunningService,
  readOutbox,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

describe('the settings of the sign-in pages', () => {
  it('say what this deployment offers, to anybody and over both transports', async () => {
    const env = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'a secret of github' };
    await using service = await startService(createApp, { dialect, application: 'web', env });
    const data = {
      brand: { name: 'Gatehouse' },
      providers: ['github'],
      emailSignIn: true,
      passkeys: true,
      languages: ['en', 'de'],
      returnOrigins: [],
      restorableDays: { account: 30, member: 30 },
    };
    const got = await service.send('/v1/portal/settings');
    expect([got.status, await got.json()]).toEqual([200, { status: true, data }]);
    expect(await (await service.send('/v1/portal/settings', { body: {} })).json()).toEqual({
      status: true,
      data,
    });
    expect(await (await service.send('/trpc/portal.settings')).json()).toEqual({
      result: { data: { data } },
    });
  });

  it('lead back only to the console, whatever return address is sent', async () => {
    const backOf = async ({ send }: Pick<RunningService, 'send'>, back: string) => {
      const asked = new URLSearchParams({ back }).toString();
      const answer = await (await send(`/v1/portal/settings?${asked}`)).json();
      const page = await (await send(`/forgot?${asked}`)).text();
      return [(answer as { data: { back?: string } }).data.back, page.includes('Back to sign-in')];
    };
    const start = (env: Record<string, string>) =>
      startService(createApp, {
        dialect,
        application: 'web',
        env: { ...developmentEnvironment(), ...env },
      });
    await using service = await start({ ADMIN_URL: 'https://staff.gatehouse.test' });
    const console = 'https://staff.gatehouse.test/console/sign-in';
    expect(await backOf(service, console)).toEqual([console, true]);
    expect(await backOf(service, 'https://staff.gatehouse.test/elsewhere#x')).toEqual([console, true]);
    for (const back of [
      '',
      'https://evil.test/console/sign-in',
      'https://staff.gatehouse.test@evil.test/',
      'https://staff.gatehouse.test.evil.test/',
      'http://staff.gatehouse.test/',
      '//evil.test',
      'javascript:alert(1)',
    ])
      expect([back, await backOf(service, back)]).toEqual([back, [undefined, false]]);
    await using alone = await start({});
    expect(await backOf(alone, console)).toEqual([undefined, false]);
  });

  it('offer the demonstration logins only in development, and only where they exist', async () => {
    await using development = await startService(createApp, {
      dialect,
      application: 'web',
      env: developmentEnvironment(),
    });
    const offered = async ({ send }: Pick<typeof development, 'send'>) =>
      ((await (await send('/v1/portal/settings')).json()) as { data: { demonstration?: object } }).data
        .demonstration;
    expect(await offered(development)).toEqual({
      password: 'Lantern-Harbor-42',
      logins: [
        { email: 'owner@acme.test', kind: 'owner' },
        { email: 'member@acme.test', kind: 'member' },
      ],
      key: expect.stringMatching(/^[\w-]{43}$/),
    });
    const moved = { memberId: 7, emailKey: 'mina@else.test', nowMs: Date.now() };
    await changeAccess(development.database, { members: [7] }, async (tx) => {
      await setPendingAddress(tx, { ...moved, email: 'mina@else.test', awaits: 'new' });
      await consumePendingAddress(tx, moved);
    });
    expect(await offered(development)).toMatchObject({
      logins: [{ email: 'owner@acme.test' }, { email: 'mina@else.test', kind: 'member' }],
    });
    await using empty = await createTestDatabase(dialect);
    await using bare = await startService(createApp, {
      dialect,
      application: 'web',
      env: developmentEnvironment(),
      database: empty.database,
    });
    expect(await offered(bare)).toBeUndefined();
    await using other = await startService(createApp, { dialect, application: 'web' });
    expect(await offered(other)).toBeUndefined();
  });

  it('offer the outbox to a caller at this machine in development while no mail is sent', async () => {
    const outbox = async (env?: Record<string, string>, headers: Record<string, string> = {}) => {
      await using service = await startService(createApp, {
        dialect,
        application: 'web',
        ...(env ? { env } : {}),
      });
      const got = await service.send('/v1/portal/settings', { headers });
      const { data } = (await got.json()) as { data: object };
      return data;
    };
    expect(await outbox(developmentEnvironment())).toMatchObject({ outbox: '/dev/outbox' });
    for (const env of [undefined, { ...developmentEnvironment(), SMTP_URL: 'smtp://127.0.0.1:1' }])
      expect(await outbox(env)).not.toHaveProperty('outbox');
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host'])
      expect(await outbox(developmentEnvironment(), { [header]: '127.0.0.1' })).not.toHaveProperty('outbox');
  });

  it('have the name, logo, links and words of the brand, and its colors are a stylesheet', async () => {
    await using folder = await createTestFolder();
    const brand = {
      name: 'Acme',
      logo: 'acme.svg',
      support: 'help@acme.test',
      accents: { light: '#7a1f5c', dark: '#f0a6d8' },
      links: [{ href: 'https://acme.test/privacy', text: { en: 'Privacy', de: 'Datenschutz' } }],
      messages: { en: { 'signIn.title': 'Welcome' } },
    };
    writeFileSync(join(folder.path, 'brand.json'), JSON.stringify(brand));
    writeFileSync(join(folder.path, 'acme.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const env = { ...developmentEnvironment(), PORTAL_BRAND: join(folder.path, 'brand.json') };
    await using service = await startService(createApp, { dialect, application: 'web', env });
    const got = await (await service.send('/v1/portal/settings')).json();
    expect(got).toMatchObject({
      data: {
        brand: {
          name: 'Acme',
          logo: '/portal/logo.svg',
          support: 'mailto:help@acme.test',
          links: brand.links,
          messages: { en: { 'signIn.title': 'Welcome' }, de: {} },
        },
      },
    });
    await service.send('/forgotPassword', { body: { email: 'owner@acme.test' } });
    expect((await readOutbox(service))[0]?.text).toMatch(/-- \nAcme\nSupport: help@acme.test\n$/);
    const { brand: shown } = (got as { data: { brand: object } }).data;
    expect(Object.keys(shown).toSorted()).toEqual(['links', 'logo', 'messages', 'name', 'support']);
  });

  it('say whether sign-in by mail and passkeys are available', async () => {
    const env = {
      EMAIL_SIGN_IN: 'false',
      APP_URL: 'http://127.0.0.1:4000',
      BASE_URL: 'http://127.0.0.1:4000',
    };
    await using service = await startService(createApp, { dialect, application: 'web', env });
    const got = await service.send('/v1/portal/settings');
    expect(await got.json()).toMatchObject({ data: { emailSignIn: false, passkeys: false } });
  });
});
