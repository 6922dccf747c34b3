import { insertTestApplication } from '@gatehouse/features/test/test-applications';
import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember } from '../test/people.js';

const dialect = inject('dialect');

it('an application leads through signing in and consent, and gets a code', async () => {
  await using portal = await openPortal(dialect);
  const { page, service, at } = portal;
  const { id, email } = await addMember(portal);
  await insertTestApplication(service.database, { accountId: null, createdById: id });
  const [application] = await service.database.select().from(service.database.tables.applications);
  const query = new URLSearchParams({
    client_id: application?.clientId ?? '',
    redirect_uri: 'https://wiki.example.com/callback',
    response_type: 'code',
    scope: 'openid',
    // That of RFC 7636, appendix B.
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  await page.goto(`${new URL(at('')).origin}/oauth/authorize?${query.toString()}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Let Wiki use your account?' }).waitFor();
  expect(await findingsOfAxe(page)).toEqual([]);
  const back = page.waitForRequest(/wiki\.example\.com/);
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  expect((await back).url()).toContain('https://wiki.example.com/callback?code=');
});
