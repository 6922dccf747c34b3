import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe, screenShown } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { handsInTurn, keyboard, mouse, useHand } from '../../../test/hands.js';
import { openPortal, PASSWORD } from '../../../test/open-portal.js';
import { addMember, addMemberWithApp } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');
const created = z.object({ data: z.object({ id: z.int() }) });

describe('the settings of an account', () => {
  it('rename it everywhere, and leave a refused name in the form', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/settings');
    const name = page.getByLabel('Organization name');
    await name.fill('a'.repeat(300));
    await name.press('Enter');
    await page.getByText('At most 100 characters.').waitFor();
    expect(await name.inputValue()).toBe('a'.repeat(300));
    expect(await findingsOfAxe(page)).toEqual([]);
    for (const [hand, chosen] of handsInTurn(dialect, [
      [mouse, 'Acme Works'],
      [keyboard, '<b>Acme</b> & Söhne'],
    ] as const)) {
      await useHand(page, hand, dialect);
      await hand.write(name, chosen);
      await hand.press(page.getByRole('button', { name: 'Save Name' }));
      const notice = page.getByText(`The organization is now called ${chosen}.`);
      await notice.waitFor();
      await hand.press(page.getByRole('button', { name: 'Close this notice' }));
      await notice.waitFor({ state: 'detached' });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: /^Organization: <b>Acme<\/b> & Söhne/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('require a second factor, say how many members have none, and never lock out the person who sets it', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/settings');
    await page.getByLabel('Two-step sign-in').selectOption({ label: 'A second factor is required' });
    await page.getByRole('button', { name: 'Save Sign-in security' }).click();
    await page.getByText('You would lock yourself out').waitFor();
    await page.getByRole('link', { name: 'Add a second factor' }).waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByLabel('Takes effect').selectOption({ label: 'in 14 days' });
    await page.getByRole('button', { name: 'Save Sign-in security' }).click();
    await page.getByText('Saved: A second factor is required.').waitFor();
    await page.getByText(/^From .+ on\.$/).waitFor();
    expect(await page.getByText('A second factor is required', { exact: true }).count()).toBe(1);

    const member = await addMemberWithApp(portal);
    const answer = await service.send('/v1/account/create', { body: { name: 'Keep' }, token: member.token });
    const { id } = created.parse(await answer.json()).data;
    await insertTestMember(service.database, { memberships: { [id]: 5 } });
    const own = await portal.newPage({ isOtherPerson: true });
    await own.goto(portal.at(`sign-in?next=/portal/a/${id}/settings`));
    await own.getByLabel('Email').fill(member.email);
    await own.getByLabel('Password').fill(PASSWORD);
    await own.getByRole('button', { name: 'Sign in', exact: true }).click();
    await own.getByLabel('Code').fill(member.code());
    await screenShown(own);
    for (const [hand, from] of handsInTurn(dialect, [
      [mouse, 'in 7 days'],
      [keyboard, 'in 14 days'],
    ] as const)) {
      await useHand(own, hand, dialect);
      await hand.choose(own.getByLabel('Two-step sign-in'), 'A second factor is required');
      await hand.choose(own.getByLabel('Takes effect'), from);
      await hand.press(own.getByRole('button', { name: 'Save Sign-in security' }));
      await own.getByText('Saved: A second factor is required.').waitFor();
      await own.getByText('One of 2 members has none yet.').waitFor();
      await own.reload();
      await screenShown(own);
    }
    expect(await findingsOfAxe(own)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('create, change and remove custom roles, which members can then be given', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, at } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/settings');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    const open = page.getByRole('button', { name: 'New role' });
    for (const [hand, chosen] of handsInTurn(dialect, [
      [mouse, 'Söhne & Co'],
      [keyboard, '<b>Front</b> desk'],
    ] as const)) {
      await useHand(page, hand, dialect);
      await hand.press(open);
      await hand.write(name, 'Admin');
      await hand.press(page.getByRole('button', { name: 'Create role' }));
      await page.getByText('There is already a role with this name.').waitFor();
      await hand.write(name, chosen);
      const box = page.getByLabel('Invite and remove members, and change their roles');
      await (hand === keyboard ? box.press(' ') : hand.press(box));
      await hand.choose(page.getByLabel('Rank'), 'Contributor');
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(page.getByRole('button', { name: 'Create role' }));
      await page.getByText(`The role ${chosen} was created.`).waitFor();
    }
    const row = page.getByRole('listitem').filter({ hasText: '<b>Front</b> desk' });
    await row.getByText('Ranks as Contributor').waitFor();
    await row.getByText(/See members · Invite and remove members/).waitFor();

    await useHand(page, mouse, dialect);
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await row.getByRole('button', { name: /^Edit/ }).click();
    expect(await page.getByLabel('See members').isChecked()).toBe(true);
    expect(await page.getByLabel('See the subscription').isChecked()).toBe(false);
    await page.getByLabel('See the subscription').check();
    await page.getByRole('button', { name: 'Save role' }).click();
    await row.getByText(/See the subscription/).waitFor();

    const { customRoles, memberships } = service.database.tables;
    const stored = (await service.database.select().from(customRoles)).find((role) =>
      role.name.includes('Front'),
    );
    expect(stored).toMatchObject({
      roleType: 3,
      permissions: ['account.read', 'member.list', 'member.manage', 'subscription.read'],
    });
    const give = async (label: string) => {
      await page.goto(at('a/1/team'));
      await screenShown(page);
      await page.getByRole('button', { name: 'Actions for Mateo Ferrari' }).click();
      await page.getByRole('button', { name: /^Change role/ }).click();
      await page.getByLabel('Role', { exact: true }).selectOption({ label });
      await page.getByRole('button', { name: 'Save role' }).click();
      await page.getByText(`role is now ${label}.`).waitFor();
    };
    const remove = async () => {
      await page.goto(at('a/1/settings'));
      await screenShown(page);
      await row.getByRole('button', { name: /^Actions for/ }).click();
      await row.getByRole('button', { name: /^Remove/ }).click();
      await page.getByRole('button', { name: 'Remove role' }).click();
    };
    await give('<b>Front</b> desk');
    const holders = (await service.database.select().from(memberships)).filter(
      ({ customRoleId }) => customRoleId === stored?.id,
    );
    expect(holders).toHaveLength(1);
    await remove();
    await page.getByText('A member has this role, or an open invitation offers it.').waitFor();
    await give('Member');
    await remove();
    await page.getByText('The role <b>Front</b> desk was removed.').waitFor();
    expect(await row.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('say of a role that allows more than the person can do that they cannot edit it, and take nothing from it', async () => {
    await using portal = await openPortal(dialect);
    const { page, service } = portal;
    const owner = await addMember(portal, { 1: 1 });
    const post = async (path: string, body: object) => {
      const answer = await service.send(`/v1/${path}`, { token: owner.token, accountId: 1, body });
      return created.parse(await answer.json()).data.id;
    };
    const office = await post('role/save', {
      name: 'Office',
      roleType: 2,
      permissions: ['account.read', 'account.manage', 'member.list'],
    });
    await post('role/save', { name: 'Reader', roleType: 5, permissions: ['account.read', 'member.list'] });
    await post('role/save', { name: 'Payer', roleType: 5, permissions: ['account.read', 'billing.manage'] });
    const member = await addMember(portal, { 1: 5 });
    await post('membership/changeRole', { memberId: member.id, customRoleId: office });
    await signInAs(portal, page, member.email, 'a/1/settings');
    const rowOf = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    const actionsOf = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      const buttons = await rowOf(name).getByRole('button').allTextContents();
      await page.keyboard.press('Escape');
      return buttons.filter((words) => /Edit|Remove/.test(words));
    };
    const sentence = 'Only someone who can do everything this role allows can edit it.';
    await rowOf('Payer').getByText(sentence).waitFor();
    expect(await page.getByText(sentence).count()).toBe(1);
    expect(await actionsOf('Payer')).toEqual([expect.stringContaining('Remove')]);
    expect(await actionsOf('Reader')).toHaveLength(2);
    expect(await findingsOfAxe(page)).toEqual([]);
  });

  it('close it after its name is typed, and it can be restored from the accounts page', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/settings');
    for (const hand of handsInTurn(dialect, [keyboard, mouse])) {
      await useHand(page, hand, dialect);
      await page.goto(at('a/1/settings'));
      await hand.press(page.getByRole('button', { name: 'Close organization…' }));
      await hand.write(page.getByLabel('Type it here'), 'Acme');
      await hand.press(page.getByRole('button', { name: 'Close organization', exact: true }));
      await page.getByText("Doesn't match").waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.write(page.getByLabel('Type it here'), 'Acme Studio');
      await hand.press(page.getByRole('button', { name: 'Close organization', exact: true }));
      await page.getByRole('heading', { level: 2, name: 'Closed organizations' }).waitFor();
      expect(page.url()).toBe(at(''));
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(page.getByRole('button', { name: 'Restore Acme Studio' }));
      await hand.press(page.getByRole('main').getByRole('link', { name: 'Acme Studio' }));
      await page.getByText('7 members').waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('are hidden from those who may not change them', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'manager@acme.test', 'a/1/settings');
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
