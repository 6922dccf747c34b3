import { readFile } from 'node:fs/promises';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { deleteOwnMember } from '@gatehouse/db/queries/remove-member';
import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { z } from 'zod';
import { countClicks } from '../test/count-clicks.js';
import { linesOf } from '../test/lines-of.js';
import { openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

const exported = z.object({ format: z.string(), profile: z.object({ email: z.string() }) });

it('staff export, delete and restore members and accounts, with three clicks each', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints, at } = console;
  const { database } = service;
  const stefan = { email: 'staff@gatehouse.test', password: 'Lantern-Harbor-42' };
  const signsIn = async () => (await service.send('/v1/signIn/password', { body: stefan })).status;
  const member = await insertTestMember(database, { isConfirmed: true, memberships: { 2: 5 } });
  const comesIn = async () => (await service.send('/auth/me', { token: member.token, accountId: 2 })).status;
  const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = (name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  await signInAs(console, 'root@gatehouse.test', `members/${member.id}`);
  const clicks = await countClicks(page);
  await choose('More actions');
  await choose('Export data');
  await page.getByLabel('Reason').fill('They asked for it');
  const download = page.waitForEvent('download');
  await confirm('Save file');
  const file = await download;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^member-${member.id}-[\\d-]+\\.json$`));
  expect(exported.parse(JSON.parse(await readFile(await file.path(), 'utf8')))).toMatchObject({
    format: 'gatehouse-export/1',
    profile: { email: member.email },
  });
  await page.getByText(/^Saved as member-/).waitFor();
  expect(clicks()).toBe(3);
  const line = { subjectId: String(member.id), after: { reason: 'They asked for it' } };
  expect(await linesOf(service, 'member.exported')).toMatchObject([line]);

  expect(await signsIn()).toBe(200);
  await page.goto(at('members/2'));
  clicks();
  await choose('More actions');
  await choose('Delete member');
  await page.getByLabel('Type it here').fill('somebody@else.test');
  await confirm('Delete member');
  await page.getByText("Doesn't match").waitFor();
  expect(await signsIn()).toBe(200);
  await page.getByLabel('Type it here').fill(stefan.email);
  await confirm('Delete member');
  await page.getByRole('heading', { level: 1, name: 'Stefan Lindqvist was deleted.' }).waitFor();
  expect([clicks(), await signsIn()]).toEqual([4, 401]);

  await page.getByRole('link', { name: 'Deleted', exact: true }).click();
  await page.getByText('Nothing deleted').waitFor();
  await page.getByRole('link', { name: 'Deleted by staff' }).click();
  await page.getByRole('link', { name: 'Stefan Lindqvist' }).click();
  await page.getByText(/^You can restore the account until/).waitFor();
  clicks();
  await choose('Restore');
  await page.getByLabel('Reason').fill('Deleted by mistake');
  await confirm('Restore');
  await page.getByText('Stefan Lindqvist was restored.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Stefan Lindqvist can sign in.' }).waitFor();
  expect([clicks(), await signsIn()]).toEqual([2, 200]);

  expect(await comesIn()).toBe(200);
  await page.goto(at('accounts/2'));
  clicks();
  await choose('More actions');
  await choose('Delete organization');
  await page.getByText('3 members lose access immediately').waitFor();
  await page.getByLabel('Type it here').fill('Birch & Co');
  await confirm('Delete organization');
  await page.getByRole('heading', { level: 1, name: 'Birch & Co is closed.' }).waitFor();
  expect([clicks(), await comesIn()]).toEqual([3, 403]);
  await page.goto(at('deleted?of=accounts'));
  await page.getByRole('link', { name: 'Birch & Co' }).click();
  await choose('Restore');
  await page.getByLabel('Reason').fill('Deleted by mistake');
  await confirm('Restore');
  await page.getByRole('heading', { level: 1, name: /^Birch & Co is on trial/ }).waitFor();
  expect([clicks(), await comesIn()]).toEqual([3, 200]);

  // Nobody else may delete anything.
  await page.context().clearCookies();
  await signInAs(console, stefan.email, 'accounts/2');
  expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
  await page.goto(at('deleted'));
  await page.getByText("Your role can't view this page.").waitFor();
  expect(complaints).toEqual([]);
});

it('staff find and ban a member who deleted themselves, who then cannot come back', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints } = console;
  const { database } = service;
  const { id: memberId, email } = await insertTestMember(database, {
    isConfirmed: true,
    memberships: { 2: 5 },
  });
  const nowMs = Date.now();
  await changeAccess(database, { members: [memberId] }, (tx) =>
    deleteOwnMember(tx, { memberId, erasesAtMs: nowMs + 86_400_000, nowMs }),
  );
  const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = (name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  await signInAs(console, 'root@gatehouse.test', 'deleted');
  await page.getByRole('link', { name: 'Test Member' }).click();
  await page.getByRole('heading', { level: 1, name: 'Test Member deleted their account.' }).waitFor();
  await page.getByText(/^They can restore the account until .* with the link in their email\./).waitFor();
  expect(await findingsOfAxe(page)).toEqual([]);
  await choose('More actions');
  await choose('Ban');
  await page.getByText('They stay banned if they restore their account.').waitFor();
  await page.getByLabel('Reason').fill('Sold the customer list');
  await confirm('Ban');
  await page.getByText(/^They can restore the account until .*, but stay banned\./).waitFor();
  await choose('More actions');
  await page.getByRole('button', { name: 'Lift ban', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Ban', exact: true }).count()).toBe(0);
  await choose('Disable self-restore');
  await page.getByLabel('Type it here').fill(email);
  await confirm('Disable self-restore');
  await page.getByText('Test Member can no longer restore the account.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Test Member was deleted.' }).waitFor();
  await page.reload();
  await choose('More actions');
  await page.getByRole('button', { name: 'Export data' }).waitFor();
  expect(await page.getByRole('button', { name: 'Disable self-restore' }).count()).toBe(0);
  const line = { subjectId: String(memberId), after: { mayComeBack: false } };
  expect(await linesOf(service, 'member.removed')).toMatchObject([line]);
  expect(complaints).toEqual([]);
});
