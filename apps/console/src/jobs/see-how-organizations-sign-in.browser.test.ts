import { insertTestDomain, insertTestSso, insertTestSubject } from '@gatehouse/features/test/test-sso';
import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openConsole, signInAs } from '../test/open-console.js';

it('staff find the single sign-on connections of all organizations by keyboard, and see them with members and accounts', async () => {
  await using console = await openConsole(inject('dialect'));
  const { page, complaints, service } = console;
  const db = service.database;
  const owner = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1 } });
  const member = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 3 } });
  const of = { accountId: 1, createdById: owner.id };
  await insertTestSubject(db, { ...of, memberId: member.id });
  await insertTestDomain(db, { ...of, domain: 'many.test', isVerified: true });
  await insertTestSso(db, { ...of, accountId: 2, isLive: false });

  await signInAs(console, 'root@gatehouse.test', 'mail');
  await page.locator('h1').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('saml');
  await page.getByRole('option', { name: 'Single sign-on', exact: false }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Single sign-on' }).waitFor();
  const links = page.getByRole('table').getByRole('link', { name: 'Acme', exact: true });
  await links.nth(1).waitFor();
  expect(await links.count()).toBe(2);
  expect(await findingsOfAxe(page)).toEqual([]);
  expect(await flawsOfLook(page)).toEqual([]);
  await page.getByRole('link', { name: 'Active', exact: true }).press('Enter');
  await page.waitForURL(/state=on/);
  await expect.poll(() => links.count()).toBe(1);
  await page.getByLabel('Sort by').selectOption('Certificate that expires first');
  await page.getByText('No matching connections.').waitFor();
  await page.getByRole('button', { name: 'Show all' }).press('Enter');
  await page.getByLabel('Sort by').selectOption('Newest first');
  await expect.poll(() => links.count()).toBe(2);
  await links.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');

  await page.waitForURL(/accounts\/1$/);
  await page.getByText('Single sign-on is optional.').waitFor();
  await page.getByText('many.test', { exact: true }).waitFor();
  await page.goto(console.at(`members/${member.id}`));
  const card = page.getByRole('region', { name: 'Single sign-on' });
  await card.getByText('Acme', { exact: true }).waitFor();

  await insertTestSso(db, { ...of, required: true, exemptIds: [owner.id] });
  await page.reload();
  await page.getByText('required for their email address').waitFor();
  await page.getByLabel('Check', { exact: true }).selectOption({ index: 1 });
  await page.getByText("Other sessions can't open it.", { exact: false }).waitFor();
  await page.getByText('required; this session used another sign-in').waitFor();
  expect(await findingsOfAxe(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
