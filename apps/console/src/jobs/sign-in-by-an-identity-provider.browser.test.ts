import { startIdentityProvider } from '@gatehouse/features/test/sso-world';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openConsole, signInAs } from '../test/open-console.js';

const ROOT = 'root@gatehouse.test';

it('root staff connect, test and activate an identity provider and sign in through it, by keyboard alone', async () => {
  await using idp = await startIdentityProvider();
  idp.told.claims = { sub: 'root', email: ROOT, email_verified: true };
  await using console = await openConsole(inject('dialect'));
  const { page, at, complaints } = console;
  await signInAs(console, ROOT, 'single-sign-on');
  await page.getByRole('link', { name: 'Staff sign-in' }).press('Enter');
  await page.getByText('No connection yet.', { exact: false }).waitFor();
  expect(await findingsOfAxe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add connection' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Works');
  await dialog.getByLabel('Domains').fill('gatehouse.test');
  await dialog.getByLabel('Issuer').fill(idp.issuer);
  await dialog.getByLabel('Client ID').fill('gatehouse');
  await dialog.getByLabel('Client secret').fill('Anchor-Meadow-17');
  expect(await findingsOfAxe(page)).toEqual([]);
  expect(await flawsOfLook(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByText('Works is saved. Test it next.').waitFor();

  await page.getByRole('button', { name: 'Test connection' }).press('Enter');
  await page.getByText('The test passed').waitFor();
  await page.getByText('is on the staff and would be signed in.').waitFor();
  expect(await findingsOfAxe(page)).toEqual([]);
  expect(await flawsOfLook(page)).toEqual([]);
  await page.getByRole('button', { name: 'Activate' }).press('Enter');
  await dialog.getByRole('button', { name: 'Activate' }).press('Enter');
  await page.getByText('Works is active.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await page.goto(at('sign-in?next=/console/mail'));
  await page.getByRole('button', { name: 'Sign in with Works' }).press('Enter');
  await page.waitForURL(at('mail'));
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
  const atProvider = page.waitForRequest((request) => request.url().startsWith(`${idp.issuer}/endsession`));
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await atProvider;
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  idp.told.claims = { sub: 'eve', email: 'eve@gatehouse.test', email_verified: true };
  await page.goto(at('sign-in'));
  await page.getByRole('button', { name: 'Sign in with Works' }).press('Enter');
  await page.getByText("This company account can't access the console.", { exact: false }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  expect(await findingsOfAxe(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
