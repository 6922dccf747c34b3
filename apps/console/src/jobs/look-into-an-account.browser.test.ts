import { findApplication } from '@gatehouse/db/queries/applications';
import { insertTestApplication } from '@gatehouse/features/test/test-applications';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { countClicks } from '../test/count-clicks.js';
import { openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

describe('one account', () => {
  it('is found by name or number with two clicks, and its page says in one sentence whether it is open and paid', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints } = console;
    await signInAs(console, 'root@gatehouse.test', 'mail');
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: 'Organizations', exact: true }).click();
    await page.getByLabel('Name or #ID').fill('acm');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'Acme Studio' }).click();
    await page.getByRole('heading', { level: 1, name: /^Acme Studio is on trial until/ }).waitFor();
    expect(clicks()).toBe(2);
    await page.getByText('7 members. Owner: Olivia Marsh').waitFor();
    await page.getByRole('region', { name: 'Two-step sign-in' }).getByText('Optional').waitFor();
    const facts = page.getByRole('region', { name: 'Organization', exact: true });
    await facts.getByRole('link', { name: 'Olivia Marsh' }).click();
    await page.getByRole('heading', { level: 1, name: 'Olivia Marsh can sign in.' }).waitFor();
    await page.getByRole('link', { name: 'Birch & Co' }).click();
    await page.getByRole('heading', { level: 1, name: /^Birch & Co is on trial/ }).waitFor();

    await page.getByRole('link', { name: 'Organizations', exact: true }).first().click();
    await page.getByLabel('Name or #ID').fill('#3');
    await page.waitForURL(/q=/);
    await expect.poll(() => page.locator('tbody tr').allTextContents()).toHaveLength(1);
    await page.reload();
    await page.getByRole('link', { name: 'Cedar Labs' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByLabel('Name or #ID').fill('none of that name');
    await page.getByText('No matching organizations.').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
    expect(complaints).toEqual([]);
  });

  it('is in a list that shows plan, status, owner and members, and can be sorted', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await signInAs(console, 'root@gatehouse.test', 'accounts');
    const rows = page.locator('tbody tr');
    const first = async (name: string) => expect.poll(() => rows.first().textContent()).toContain(name);
    await first('Acme Studio');
    for (const part of ['on trial', 'Olivia Marsh', '7'])
      await rows.first().getByRole('cell', { name: part, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.waitForURL(/sort=name/);
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await first('Cedar Labs');
    await page.reload();
    await first('Cedar Labs');
    expect(await flawsOfLook(page)).toEqual([]);
    expect(await findingsOfAxe(page)).toEqual([]);

    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(at('accounts'));
    await page.getByLabel('Sort by').selectOption('Newest first');
    await first('Cedar Labs');
    for (const name of ['on trial', 'Members: 1']) await rows.first().getByRole('cell', { name }).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows its custom roles, with what they allow and how many members have them', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, service } = console;
    const { database } = service;
    await database.insert(database.tables.customRoles, {
      accountId: 1,
      name: 'Editor',
      nameKey: 'editor',
      roleType: 3,
      permissions: ['account.read', 'member.list', 'conversation.read'],
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    await signInAs(console, 'root@gatehouse.test', 'accounts/1');
    const card = page.getByRole('region', { name: 'Custom roles' });
    await card.getByText('Editor', { exact: true }).waitFor();
    await card.getByText('See members · Read all conversations').waitFor();
    await card.getByText('No members · Ranks as Contributor').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await flawsOfLook(page)).toEqual([]);
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('gets a custom role from staff, who change it and remove it again', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, service } = console;
    const { database } = service;
    const stored = () => database.select().from(database.tables.customRoles);
    await signInAs(console, 'root@gatehouse.test', 'accounts/1');
    const card = page.getByRole('region', { name: 'Custom roles' });
    await card.getByText('No custom roles.').waitFor();
    await card.getByRole('button', { name: 'New role' }).click();
    await page.getByText('Admins of Acme Studio can give it to members and in invitations.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Admin');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByText('There is already a role with this name.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Front desk');
    await page.getByLabel('Invite and remove members, and change their roles').check();
    await page.getByLabel('Rank').selectOption({ label: 'Contributor' });
    expect(await flawsOfLook(page)).toEqual([]);
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByText('The role Front desk was created.').waitFor();
    await card.getByText('No members · Ranks as Contributor').waitFor();
    expect(await stored()).toMatchObject([
      { accountId: 1, roleType: 3, permissions: ['account.read', 'member.list', 'member.manage'] },
    ]);

    const choose = async (action: RegExp) => {
      await card.getByRole('button', { name: 'Actions for Front desk' }).click();
      await page.getByRole('button', { name: action }).click();
    };
    await choose(/^Edit/);
    expect(await page.getByLabel('See members').isChecked()).toBe(true);
    await page.getByLabel('Invite and remove members, and change their roles').uncheck();
    await page.getByRole('button', { name: 'Save role' }).click();
    await page.getByText('The role Front desk was saved.').waitFor();
    expect(await stored()).toMatchObject([{ permissions: ['account.read', 'member.list'] }]);
    await choose(/^Remove/);
    await page.getByRole('button', { name: 'Remove role' }).click();
    await page.getByText('The role Front desk was removed.').waitFor();
    await card.getByText('No custom roles.').waitFor();
    expect(await stored()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows root staff its applications, which they block, allow again and remove', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, service } = console;
    const { applicationId: id } = await insertTestApplication(service.database, {
      accountId: 1,
      createdById: 3,
    });
    const stored = () => findApplication(service.database, { id, accountId: 1 });
    await signInAs(console, 'root@gatehouse.test', 'accounts/1');
    const card = page.getByRole('region', { name: 'Applications' });
    await card.getByText('Active · Web application').waitFor();
    const choose = async (action: string) => {
      await card.getByRole('button', { name: 'Actions for Wiki' }).click();
      await page.getByRole('button', { name: action }).click();
    };
    await choose('Block');
    await page.getByText(/^The application loses access immediately/).waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Block application' }).click();
    await page.getByText('Wiki is blocked.').waitFor();
    await card.getByText('Blocked · Web application').waitFor();
    expect(await stored()).toMatchObject({ blocked: true, active: false });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await flawsOfLook(page)).toEqual([]);
    expect(await findingsOfAxe(page)).toEqual([]);
    await choose('Allow again');
    await page.getByRole('button', { name: 'Allow application' }).click();
    await card.getByText('Deactivated · Web application').waitFor();
    expect(await stored()).toMatchObject({ blocked: false, active: false });
    await choose('Remove');
    await page.getByRole('dialog').getByRole('textbox').fill('Wiki');
    await page.getByRole('button', { name: 'Remove application' }).click();
    await page.getByText('Wiki was removed.').waitFor();
    await card.waitFor({ state: 'detached' });
    expect(await stored()).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  it('is hidden from staff without a grant on it', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await signInAs(console, 'staff@gatehouse.test', 'accounts');
    await page.getByRole('link', { name: 'Birch & Co' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'Birch & Co' }).click();
    await page.getByRole('heading', { level: 1, name: /^Birch & Co is on trial/ }).waitFor();
    await page.waitForLoadState('networkidle');
    // Its policy is for its owners, and for staff who see everything.
    expect(await page.getByRole('heading', { name: 'Sign-in security' }).count()).toBe(0);
    await page.goto(at('accounts/1'));
    await page.getByText("It doesn't exist, or you don't have access.").waitFor();
    expect(complaints).toEqual([]);
  });
});
