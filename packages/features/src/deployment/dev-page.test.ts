import { createApp } from '@gatehouse/api-main/app';
import { DEMONSTRATION_PEOPLE } from '@gatehouse/db/queries/demonstration-data';
import { developmentEnvironment, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

const start = (env: Record<string, string>) => startService(createApp, { dialect, application: 'web', env });
const HTML = { headers: { accept: 'text/html' } };

const SIMULATED = {
  ADMIN_URL: 'http://localhost:4001',
  GOOGLE_CLIENT_ID: 'simulated-google',
  GOOGLE_CLIENT_SECRET: 'simulated-google-secret',
  GOOGLE_AUTHORIZATION_URL: 'http://127.0.0.1:4020/google/auth',
  STRIPE_API_URL: 'http://127.0.0.1:4020',
};

describe('the page of a development start', () => {
  it('shows the logins, the newest mails and webhooks, and the simulators', async () => {
    await using service = await start({ ...developmentEnvironment(), ...SIMULATED });
    await service.send('/forgotPassword', { body: { email: 'owner@acme.test' } });
    const answer = await service.send('/dev', HTML);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const page = await answer.text();
    for (const { email } of DEMONSTRATION_PEOPLE) expect(page).toContain(`<code>${email}</code>`);
    expect(page).toContain('Lantern-Harbor-42');
    expect(page).toContain('href="/portal/sign-in"');
    expect(page).toContain('href="http://localhost:4001/console/sign-in"');
    const signIns = [
      ...page.matchAll(/<a href="([^"#]+)#as=([^"&]+)&amp;key=[\w-]{43}">Sign in as ([^<]+)<\/a>/g),
    ];
    const staff = [
      ['http://localhost:4001/console/sign-in', 'root%40gatehouse.test', 'Ruth Okafor'],
      ['http://localhost:4001/console/sign-in', 'staff%40gatehouse.test', 'Stefan Lindqvist'],
    ];
    expect(signIns.slice(0, 3).map(([, ...link]) => link)).toEqual([
      ...staff,
      ['/portal/sign-in', 'owner%40acme.test', 'Olivia Marsh'],
    ]);
    // All but the archived one.
    expect(signIns).toHaveLength(DEMONSTRATION_PEOPLE.length - 1);
    expect(page).toContain(
      'Owner in Acme Studio (organization 1), Manager in Birch &amp; Co (organization 2)',
    );
    expect(page).toMatch(/href="\/dev\/outbox\?mail=\d+">Set a new password<\/a><\/td><td>owner@acme\.test/);
    expect(page).toContain('No webhooks from payment providers yet.');
    expect(page).toContain('<a href="/socialAuth">Sign in with a provider</a>: Google');
    expect(page).toContain('The provider is <code>http://127.0.0.1:4020</code>');
    expect(page).toContain('>acme-partner</a>');
  });

  it.each<[string, Record<string, string>]>([
    ['in production', { NODE_ENV: 'production', MAIL_OUTBOX_ONLY: 'true' }],
    ['under test', { NODE_ENV: 'test' }],
  ])('does not exist %s', async (_where, env) => {
    await using service = await start(env);
    for (const path of ['/dev', '/dev/', '/DEV'])
      expect([path, (await service.send(path, HTML)).status]).toEqual([path, 404]);
  });

  it('exists only for a person at this machine', async () => {
    await using service = await start(developmentEnvironment());
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
      const { status } = await service.send('/dev', { headers: { [header]: '127.0.0.1' } });
      expect([header, status]).toEqual([header, 404]);
    }
  });
});
