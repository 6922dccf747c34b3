import { createApp } from '@gatehouse/api-admin/app';
import { startService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';

it('staff who forgot their password are led to the front-end page that mails a link, and back afterwards', async () => {
  await using service = await startService(createApp, {
    dialect: inject('dialect'),
    application: 'admin',
    env: { APP_URL: 'https://app.example.test' },
  });
  const answer = await fetch(`${service.url}/forgot`, { redirect: 'manual' });
  const { origin, pathname, searchParams } = new URL(answer.headers.get('location') ?? '');
  expect([answer.status, origin + pathname]).toEqual([302, 'https://app.example.test/forgot']);
  expect(searchParams.get('back')).toMatch(/^http:\/\/.+\/console\/sign-in$/);
});
