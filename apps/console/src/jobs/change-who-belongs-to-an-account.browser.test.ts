import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { insertTestMember } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { z } from 'zod';
import { countClicks } from '../test/count-clicks.js';
import { openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

const me = z.object({ currentAccount: z.object({ role: z.int() }) });

it('staff send, resend and revoke an invitation, change a role and remove a member, with three clicks each', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints, at } = console;
  const { database } = service;
  const { accounts, invitations, mailOutbox } = database.tables;
  const email = 'newcomer@new.test';
  const subject = await insertTestMember(database, { isConfirmed: true, memberships: { 1: 5 } });
  const invitation = async () =>
    (await database.select().from(invitations)).find((row) => row.email === email);
  const mails = async () =>
    (await database.select().from(mailOutbox)).filter(({ recipient }) => recipient === email).length;
  const roleOf = async () => {
    const answer = await service.send('/auth/me', { token: subject.token, accountId: 1 });
    return answer.status === 200 ? me.parse(await answer.json()).currentAccount.role : answer.status;
  };
  const choose = (name: string) => page.getByRole('button', { name }).click();
  /** Chooses from the menu in the row of a member or an invitation. */
  const chooseOf = async (about: string, action: string) => {
    await choose(`Actions for ${about}`);
    await choose(`${action} ${about}`);
  };

  await signInAs(console, 'root@gatehouse.test', 'accounts/1');
  const clicks = await countClicks(page);
  await choose('Members and invitations');
  await page.getByRole('heading', { level: 1, name: 'Members of Acme Studio' }).waitFor();
  await page.getByText('8 members. Role changes take effect immediately.').waitFor();
  expect(await page.title()).toBe('Members of Acme Studio · Gatehouse console');
  await choose('Invite people');
  const role = page.getByLabel('Role');
  const names = ['Admin', 'Account manager', 'Manager', 'Contributor', 'Designer', 'Member'];
  expect(await role.locator('option').allTextContents()).toEqual(names);
  expect(await role.locator('option:checked').textContent()).toBe('Member');
  await page.getByText('Reads only their own conversations.').waitFor();
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Role').selectOption({ label: 'Designer' });
  await choose('Send invitation');
  await page.getByText(`Invitation sent to ${email}.`).waitFor();
  expect(clicks()).toBe(3);
  expect([await mails(), (await invitation())?.roleType]).toEqual([1, 4]);

  // A mail may go out again once a minute.
  await chooseOf(email, 'Resend');
  await page.getByText('Too many requests.').waitFor();
  await database.write(database.update(invitations).set({ lastSentAtMs: Date.now() - 61_000 }));
  await chooseOf(email, 'Resend');
  await expect.poll(mails).toBe(2);
  await chooseOf(email, 'Revoke');
  await page.getByText('The link in the email stops working immediately.').waitFor();
  await choose('Revoke invitation');
  await page.getByText(`The invitation to ${email} was revoked.`).waitFor();
  expect((await invitation())?.status).toBe('revoked');
  await page.getByText('No invitations.').waitFor();
  clicks();

  expect(await roleOf()).toBe(5);
  await chooseOf('Test Member', 'Change role');
  await page.getByRole('dialog').getByLabel('Role').selectOption({ label: 'Contributor' });
  await choose('Save role');
  await page.getByText("Test Member's role is now Contributor.").waitFor();
  expect([clicks(), await roleOf()]).toEqual([3, 3]);

  await chooseOf('Test Member', 'Remove');
  await page.getByText('They immediately lose access to Acme Studio').waitFor();
  await choose('Remove member');
  await page.getByText('Test Member was removed.').waitFor();
  expect([clicks(), await roleOf()]).toEqual([3, 403]);
  await page.getByText('7 members. Role changes take effect immediately.').waitFor();
  // The primary owner's place can only be transferred.
  expect(await page.getByRole('button', { name: 'Actions for Olivia Marsh' }).count()).toBe(0);

  await chooseOf('Mateo Ferrari', 'Transfer ownership…');
  await page.getByLabel('Reason').fill('Olivia left');
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer ownership', exact: true }).click();
  await page.getByText('Mateo Ferrari is now the owner.').waitFor();
  expect(clicks()).toBe(3);
  expect((await database.select().from(accounts)).find(({ id }) => id === 1)?.ownerId).toBe(4);
  await choose('Actions for Olivia Marsh');
  await page.getByRole('button', { name: 'Remove Olivia Marsh' }).waitFor();

  // Staff with a grant assign no role above their own there.
  await page.context().clearCookies();
  await signInAs(console, 'staff@gatehouse.test', 'accounts/2/members');
  await chooseOf('Olivia Marsh', 'Change role');
  const roles = await page.getByRole('dialog').getByLabel('Role').locator('option').allTextContents();
  expect(roles[0]).toBe('Account manager');
  await page.keyboard.press('Escape');
  await choose('Actions for Olivia Marsh');
  await page.getByRole('button', { name: 'Change role Olivia Marsh' }).waitFor();
  expect(await page.getByRole('button', { name: /Bruno Keller|^Transfer ownership/ }).count()).toBe(0);
  await page.goto(at('accounts/1/members'));
  await page.getByText("It doesn't exist, or you don't have access.").waitFor();
  expect(complaints).toEqual([]);
});

it('staff invite to a custom role of an account, and give it to a member, who keeps it unless another is chosen, as do staff who may not give it', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints } = console;
  const { database } = service;
  const { customRoles, invitations } = database.tables;
  const at = { createdAtMs: 1, updatedAtMs: 1 };
  const role = { accountId: 1, roleType: 5, ...at };
  const permissions = ['account.read', 'member.list'];
  const id = await database.insert(customRoles, {
    ...role,
    name: 'Front desk',
    nameKey: 'front desk',
    permissions,
  });
  const subject = await insertTestMember(database, { isConfirmed: true, memberships: { 1: 3, 2: 5 } });
  await signInAs(console, 'root@gatehouse.test', 'accounts/1/members');
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByLabel('Email address').fill('desk@new.test');
  await page.getByLabel('Role').selectOption({ label: 'Front desk' });
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('Invitation sent to desk@new.test.').waitFor();
  expect(await database.select().from(invitations)).toMatchObject([{ roleType: 5, customRoleId: id }]);
  const dialog = page.getByRole('dialog');
  const chosen = dialog.getByLabel('Role').locator('option:checked');
  for (const [before, name] of [
    ['Contributor', 'Front desk'],
    ['Front desk', 'Front desk'],
  ] as const) {
    await page.getByRole('button', { name: 'Actions for Test Member' }).click();
    await page.getByRole('button', { name: 'Change role Test Member' }).click();
    expect(await chosen.textContent()).toBe(before);
    await dialog.getByLabel('Role').selectOption({ label: name });
    await page.getByRole('button', { name: 'Save role' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await findMembership(database, { memberId: subject.id, accountId: 1 })).toMatchObject({
      roleType: 5,
      customRoleId: id,
    });
  }

  // Account managers, who make no roles, give those whose permissions they have.
  const inOther = { ...role, accountId: 2 };
  await database.insert(customRoles, { ...inOther, name: 'Front desk', nameKey: 'front desk', permissions });
  const keeper = await database.insert(customRoles, {
    ...inOther,
    name: 'Keeper',
    nameKey: 'keeper',
    permissions: [...permissions, 'account.manage'],
  });
  const place = { memberId: subject.id, accountId: 2 };
  await changeAccess(database, { members: [subject.id] }, (tx) =>
    setMembership(tx, { ...place, roleType: 5, customRoleId: keeper, nowMs: Date.now() }),
  );
  await page.context().clearCookies();
  await signInAs(console, 'staff@gatehouse.test', 'accounts/2/members');
  await page.getByRole('button', { name: 'Invite people' }).click();
  expect(await page.getByLabel('Role').locator('option').allTextContents()).toContain('Front desk');
  expect(await page.getByLabel('Role').locator('option').allTextContents()).not.toContain('Keeper');
  await page.getByRole('button', { name: 'Close' }).click();
  for (const [choice, customRoleId] of [
    ['Keeper', keeper],
    ['Member', null],
  ] as const) {
    await page.getByRole('button', { name: 'Actions for Test Member' }).click();
    await page.getByRole('button', { name: 'Change role Test Member' }).click();
    expect(await chosen.textContent()).toBe('Keeper');
    await dialog.getByLabel('Role').selectOption({ label: choice });
    await page.getByRole('button', { name: 'Save role' }).click();
    await page.getByText(`Test Member's role is now ${choice}.`).waitFor();
    expect(await findMembership(database, place)).toMatchObject({ roleType: 5, customRoleId });
  }
  expect(complaints).toEqual([]);
});
