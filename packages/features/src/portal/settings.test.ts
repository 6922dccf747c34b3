import { createApp } from '@gatehouse/api-main/app';
import { createTestDatabase, developmentEnvironment, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

describe('the settings of pages for signing in', () => {
  it('name what this deployment offers, to anybody and over both transports', async () => {
    const env = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'a secret of github' };
    await using service = await startService(createApp, { dialect, application: 'web', env });
    const data = {
      brand: { name: 'Gatehouse' },
      providers: ['github'],
      emailSignIn: true,
      passkeys: true,
      languages: ['en', 'de'],
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

  it('offer the logins of the demonstration in development, where they are, and nowhere else', async () => {
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

  it('say so where there is no sign-in by mail, and where there can be no passkeys', async () => {
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
