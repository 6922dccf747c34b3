import { insertTestMember } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { countClicks } from '../test/count-clicks.js';
import { linesOf } from '../test/lines-of.js';
import { openConsole, signInAs } from '../test/open-console.js';

it('staff sign in as a member with a reason and for some minutes, with three clicks', async () => {
  await using console = await openConsole(inject('dialect'));
  const { service, page, complaints } = console;
  const member = await insertTestMember(service.database, { isConfirmed: true, memberships: { 1: 5 } });
  await page.route('**/portal/impersonate', (route) => route.fulfill({ body: 'the portal' }));
  await signInAs(console, 'root@gatehouse.test', `members/${member.id}`);
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Sign in as this member' }).click();
  await page.getByLabel('Reason').fill('They cannot find the export');
  await page.getByLabel('Duration').selectOption('15');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in as member' }).click();
  await page.waitForURL(/\/portal\/impersonate#ticket=/);
  expect(clicks()).toBe(3);
  const after = { reason: 'They cannot find the export', readOnly: true };
  expect(await linesOf(service, 'impersonation.started')).toMatchObject([
    { onBehalfOfId: member.id, accountId: null, after },
  ]);
  expect(complaints).toEqual([]);
});
