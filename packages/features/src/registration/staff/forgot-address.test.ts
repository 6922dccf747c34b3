import { createApp } from '@gatehouse/api-admin/app';
import { startService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';

it('leads staff who forgot their password to the page of the front end that mails a link', async () => {
  await using service = await startService(createApp, {
    dialect: inject('dialect'),
    application: 'admin',
    env: { APP_URL: 'https://app.example.test' },
  });
  const answer = await fetch(`${service.url}/forgot`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://app.example.test/forgot']);
});
