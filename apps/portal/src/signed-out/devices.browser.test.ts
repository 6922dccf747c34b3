import { insertTestApplication } from '@gatehouse/features/test/test-applications';
import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember } from '../test/people.js';

const dialect = inject('dialect');

it('a device sign-in goes through its code and consent on a phone, in dark mode and in German', async () => {
  await using portal = await openPortal(dialect);
  const { page, service, at } = portal;
  const { id, email } = await addMember(portal, { 1: 1 });
  await insertTestApplication(service.database, {
    accountId: null,
    createdById: id,
    type: 'device',
    scopes: ['openid', 'read', 'manage'],
  });
  const [application] = await service.database.select().from(service.database.tables.applications);
  const { origin } = new URL(at(''));
  const answer = await fetch(`${origin}/oauth/device`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: application?.clientId ?? '',
      scope: 'openid read manage',
      resource: service.services.config.BASE_URL,
    }),
  });
  const { user_code: code } = (await answer.json()) as { user_code: string };

  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${origin}/device?user_code=${code}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.setExtraHTTPHeaders({ 'accept-language': 'de' });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Gerät verbinden' }).waitFor();
  expect(await page.getByLabel('Code').inputValue()).toBe(code);
  for (const next of ['Weiter', 'Erlauben']) {
    if (next === 'Erlauben') {
      await page.getByLabel('Organisation').selectOption({ label: 'Acme Studio' });
      await page.getByLabel('alles dort sehen').check();
    }
    expect(await findingsOfAxe(page)).toEqual([]);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(widths[0]).toBe(widths[1]);
    await page.getByRole('button', { name: next }).press('Enter');
  }
  await page.getByRole('heading', { name: 'Wiki ist verbunden' }).waitFor();
});
