import { hashPassword } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { insertTestMember, signInByPassword } from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { type Hand, handsInTurn, keyboard, mouse, useHand } from '../../../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../../../test/open-portal.js';
import { addUnprovenMember, mailTo } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');

const saved = z.object({ data: z.object({ id: z.int() }) });

/** Greta deleted herself; Bela did too, and came back after his role was removed. */
async function leaveAndReturn(portal: OpenPortal): Promise<readonly [number, number]> {
  const { service } = portal;
  const post = async (name: string, body: object, as?: { token: string; accountId?: number }) => {
    const response = await service.send(`/v1/${name}`, { body, ...as });
    expect([name, response.status]).toEqual([name, 200]);
    return response.json() as Promise<unknown>;
  };
  const leave = async (firstName: string, roleOf: (id: number) => Promise<void>) => {
    const member = await insertTestMember(service.database, {
      isConfirmed: true,
      passwordHash: await hashPassword(PASSWORD),
      memberships: { 1: 5 },
    });
    await post('profile/update', { firstName }, member);
    await roleOf(member.id);
    await post('member/deleteOwn', { accounts: [] }, member);
    return member;
  };
  const { token } = await signInByPassword(service, 'owner@acme.test', PASSWORD);
  const owner = { token, accountId: 1 };
  const role = { name: 'Reader', roleType: 5, permissions: ['account.read'] };
  const { id: customRoleId } = saved.parse(await post('role/save', role, owner)).data;
  const greta = await leave('Greta', () => Promise.resolve());
  const bela = await leave('Bela', async (memberId) => {
    await post('membership/changeRole', { memberId, customRoleId }, owner);
  });
  await post('role/remove', { customRoleId }, owner);
  const { link } = await mailTo(portal, bela.email, 'memberDeleted');
  await post('member/restoreOwn', { token: new URL(link).searchParams.get('token'), password: PASSWORD });
  return [greta.id, bela.id];
}

/** Chooses from the menu in the row of a member or an invitation. */
async function chooseAction(
  page: OpenPortal['page'],
  about: string,
  action: string,
  hand: Hand = mouse,
): Promise<void> {
  await hand.press(page.getByRole('button', { name: `Actions for ${about}` }));
  await hand.press(page.getByRole('button', { name: `${action} ${about}` }));
}

describe('the team page', () => {
  it('invites a person, resends the mail, and revokes the invitation', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, wait } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    for (const [hand, address] of handsInTurn(dialect, [
      [mouse, 'nils@new.test'],
      [keyboard, 'nina@new.test'],
    ] as const)) {
      await useHand(page, hand, dialect);
      await hand.press(page.getByRole('button', { name: 'Invite people' }));
      const email = page.getByLabel('Email address');
      const send = page.getByRole('button', { name: 'Send invitation' });
      await hand.write(email, 'manager@acme.test');
      await hand.press(send);
      await page.getByText('A person with this address is already a member.').waitFor();
      expect(await email.getAttribute('aria-invalid')).toBe('true');
      expect(await email.inputValue()).toBe('manager@acme.test');
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.write(email, address);
      await hand.press(send);
      await page.getByText(`Invitation sent to ${address}.`).waitFor();
      expect(await email.inputValue()).toBe('');
      await hand.press(page.getByRole('button', { name: 'Close', exact: true }));
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Invite people');
      expect((await mailTo(portal, address, 'invitation')).link).toContain('/invitation');

      // The service takes a minute's pause between two mails, and the page counts it down.
      const act = (action: string) => chooseAction(page, address, action, hand);
      await act('Resend');
      await page.getByText('Try again in').waitFor();
      wait(61_000);
      await act('Resend');
      await page.getByText('Try again in').waitFor({ state: 'detached' });
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      await act('Revoke');
      await hand.press(page.getByRole('button', { name: 'Revoke invitation' }));
      await page.getByText('No invitations.').waitFor();
      await hand.press(page.getByRole('button', { name: 'Show all' }));
      await page.getByRole('listitem').filter({ hasText: address }).getByText('revoked').waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      await page.reload();
    }
    expect(complaints).toEqual([]);
  });

  it('finds members by words, sorts them, and lets owners manage each result there', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, at } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    const field = page.getByLabel('Search members');
    await page.getByText('7 members').waitFor();
    const table = page.getByRole('region', { name: 'Members' }).getByRole('table');
    const names = async () =>
      (await table.getByRole('row').allTextContents()).map((text) => /Aron|Chiara|Olivia/.exec(text)?.[0]);
    const unsorted = await names();
    const byName = table.getByRole('button', { name: 'Person' });
    await byName.click();
    expect((await names()).filter((name) => name !== undefined)).toEqual(['Aron', 'Chiara', 'Olivia']);
    await table
      .getByRole('columnheader', { name: 'Person' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await byName.click();
    expect((await names()).filter((name) => name !== undefined)).toEqual(['Olivia', 'Chiara', 'Aron']);
    await byName.click();
    await expect.poll(names).toEqual(unsorted);
    expect(await table.locator('[aria-sort]').count()).toBe(0);
    for (let more = 0; more < 8; more += 1)
      await insertTestMember(service.database, { memberships: { 1: 5 } });
    await page.reload();
    await field.fill('sato mina');
    await page.waitForURL(/q=sato/);
    const rows = table.locator('tbody').getByRole('row');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText('15 members').waitFor();
    await chooseAction(page, 'Mina Sato', 'Change role');
    await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Designer' });
    await page.getByRole('button', { name: 'Save role' }).click();
    await rows.getByRole('cell', { name: 'Designer', exact: true }).waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(await flawsOfLook(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    expect(await field.inputValue()).toBe('sato mina');
    await field.fill('nobody of that name');
    await page.getByText('No matching members.').waitFor();
    await field.fill('');
    await page.waitForURL(at('a/1/team'));
    await expect.poll(() => rows.count()).toBe(15);
    expect(complaints).toEqual([]);
  });

  it('filters members by any role of the account, together with words, and says if no one has it', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, at } = portal;
    const { token } = await signInByPassword(service, 'owner@acme.test', PASSWORD);
    const owner = { token, accountId: 1 };
    const make = async (name: string) => {
      const body = { name, roleType: 5, permissions: ['account.read'] };
      return saved.parse(await (await service.send('/v1/role/save', { body, ...owner })).json()).data.id;
    };
    const [customRoleId] = [await make('Reader'), await make('Caretaker')];
    const reader = await insertTestMember(service.database, { memberships: { 1: 5 } });
    await service.send('/v1/membership/changeRole', {
      body: { memberId: reader.id, customRoleId },
      ...owner,
    });
    const admin = await insertTestMember(service.database, { memberships: { 1: 1 } });
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    const members = page.getByRole('region', { name: 'Members' });
    const rows = members.getByRole('table').locator('tbody').getByRole('row');
    const field = members.getByLabel('Filter by role');
    await expect
      .poll(() => field.locator('option').allTextContents())
      .toEqual([
        'Any role',
        'Admin',
        'Account manager',
        'Manager',
        'Contributor',
        'Designer',
        'Member',
        'Reader',
        'Caretaker',
      ]);
    await expect.poll(() => rows.count()).toBe(9);
    await field.selectOption('Reader');
    await page.waitForURL(/role=Reader/);
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.textContent()).toContain(reader.email);
    await page.getByText('9 members').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    expect(await field.inputValue()).toBe('Reader');
    // Both roles with this name are there: an owner and an admin may do the same.
    await field.selectOption('Admin');
    await rows.filter({ hasText: admin.email }).waitFor();
    await rows.filter({ hasText: 'Olivia Marsh' }).waitFor();
    await expect.poll(() => rows.filter({ hasText: reader.email }).count()).toBe(0);
    await members.getByLabel('Search members').fill('olivia');
    await page.waitForURL(/q=olivia/);
    await expect.poll(() => rows.count()).toBe(1);
    await field.selectOption('Contributor');
    await page.getByText('No matching members.').waitFor();
    await members.getByLabel('Search members').fill('');
    await field.selectOption('Caretaker');
    await page.getByText('No one has this role.').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(at('a/1/team'));
    await expect.poll(() => rows.count()).toBe(9);
    expect(await field.inputValue()).toBe('');
    await page.goto(at('a/1/team?role=Gone'));
    await page.getByText('No one has this role.').waitFor();
    expect(await field.inputValue()).toBe('Gone');
    expect(complaints).toEqual([]);
  });

  it('leads an owner with an unproven address to the mailed code, and back to what was typed', async () => {
    await using portal = await openPortal(dialect);
    const { complaints, service, at } = portal;
    for (const typed of [['partner@new.test'], ['ada@new.test', 'grace@new.test']]) {
      const page = await portal.newPage({ isOtherPerson: true });
      const owner = await addUnprovenMember(portal);
      await changeAccess(service.database, { members: [owner.id] }, (tx) =>
        setMembership(tx, { accountId: 1, memberId: owner.id, roleType: 1, nowMs: portal.nowMs() }),
      );
      const isMany = typed.length > 1;
      const field = page.getByLabel(isMany ? 'Email addresses' : 'Email address', { exact: true });
      const role = page.getByRole('combobox', { name: 'Role', exact: true });
      const send = page.getByRole('button', { name: isMany ? 'Send invitations' : 'Send invitation' });
      await signInAs(portal, page, owner.email, 'a/1/team');
      await page.getByRole('button', { name: 'Invite people' }).click();
      if (isMany) await page.getByRole('button', { name: 'Invite several people' }).click();
      await field.fill(typed.join('\n'));
      await role.selectOption({ label: 'Admin' });
      await send.click();
      await page.waitForURL((url) => url.pathname === new URL(at('code')).pathname);
      const { text } = await mailTo(portal, owner.email, 'signInCode');
      await page.getByLabel('8-digit code').fill(/\b\d{8}\b/.exec(text)?.[0] ?? '');
      await page.waitForURL(at('a/1/team'));
      await field.waitFor();
      expect(await field.inputValue()).toBe(typed.join('\n'));
      expect(await role.locator('option:checked').textContent()).toBe('Admin');
      await send.click();
      await page.getByText(isMany ? '2 invitations sent.' : 'Invitation sent to partner@new.test.').waitFor();
      // It is typed once: none of it is there in the other form, in a new one, or on the next visit.
      const emailOrEmails = page.getByLabel(/^Email address/);
      await page
        .getByRole('button', { name: isMany ? 'Invite one person' : 'Invite several people' })
        .click();
      await field.waitFor({ state: 'detached' });
      expect(await emailOrEmails.inputValue()).toBe('');
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('button', { name: 'Invite people' }).click();
      expect(await emailOrEmails.inputValue()).toBe('');
      await page.reload();
      await page.getByRole('button', { name: 'Invite people' }).waitFor();
      expect(await field.count()).toBe(0);
    }
    expect(complaints).toEqual([]);
  });

  it('invites many pasted addresses with one role, and keeps those that could not be invited', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await page.getByRole('button', { name: 'Invite people' }).click();
    await page.getByRole('button', { name: 'Invite several people' }).click();
    const field = page.getByLabel('Email addresses');
    const send = page.getByRole('button', { name: 'Send invitations' });
    await send.click();
    await page.getByText('Enter at least one email address.').waitFor();
    await field.fill(
      'Ada Byron <ada@many.test>, manager@acme.test\nnonsense; grace@many.test\nADA@many.test',
    );
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: 'Manager' });
    await send.click();
    await page.getByText('2 invitations sent. The other 2 addresses are still in the field.').waitFor();
    const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
    expect(await results.count()).toBe(4);
    await results.filter({ hasText: 'manager@acme.test' }).getByText('already').waitFor();
    expect(await field.inputValue()).toBe('manager@acme.test\nnonsense');
    for (const address of ['ada@many.test', 'grace@many.test'])
      expect((await mailTo(portal, address, 'invitation')).link).toContain('/invitation');
    expect(await flawsOfLook(page)).toEqual([]);

    // The service does the second one, and the answer gets lost.
    let calls = 0;
    await page.route('**/trpc/invitation.create**', async (route) => {
      calls += 1;
      if (calls !== 2) return route.continue();
      // The form stays until it can say what was sent.
      for (const name of ['Invite one person', 'Close'])
        await page.getByRole('button', { name, exact: true }).press('Enter');
      expect(await page.getByRole('button', { name: 'Invite people' }).count()).toBe(0);
      await route.fetch();
      return route.abort('connectionreset');
    });
    await field.fill('a@many.test\nb@many.test\nc@many.test');
    await send.click();
    await page.getByText('One invitation sent. The other 2 addresses are still in the field.').waitFor();
    await results.filter({ hasText: 'b@many.test' }).getByText('may have been invited').waitFor();
    await results.filter({ hasText: 'c@many.test' }).getByText('was not invited').waitFor();
    await page.unroute('**/trpc/invitation.create**');
    await send.click();
    await page.getByText('2 invitations sent.').waitFor();
    expect(await field.inputValue()).toBe('');
    expect(complaints.filter((each) => !each.includes('ERR_CONNECTION_RESET'))).toEqual([]);
  });

  it("offers the account's custom roles, and preselects none of them", async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const { token } = await signInByPassword(service, 'owner@acme.test', PASSWORD);
    const name = '<i>Reader</i>';
    await service.send('/v1/role/save', {
      body: { name, roleType: 5, permissions: ['account.read'] },
      token,
      accountId: 1,
    });
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await chooseAction(page, 'Chiara Novak', 'Change role');
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: name });
    await page.getByRole('button', { name: 'Save role', exact: true }).click();
    await page.getByText(`Chiara Novak's role is now ${name}.`).waitFor();

    await page.getByRole('button', { name: 'Invite people' }).click();
    const role = page.getByRole('combobox', { name: 'Role', exact: true });
    expect(await role.locator('option:checked').textContent()).not.toBe(name);
    await role.selectOption({ label: name });
    await page.getByLabel('Email address').fill('rita@new.test');
    await page.keyboard.press('Enter');
    await page.getByText('Invitation sent to rita@new.test.').waitFor();
    expect((await mailTo(portal, 'rita@new.test', 'invitation')).link).toContain('/invitation');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByLabel('Email address').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('changes the role of a member, and removes one after their name is typed', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    for (const [hand, name] of handsInTurn(dialect, [
      [keyboard, 'Mina Sato'],
      [mouse, 'Chiara Novak'],
    ] as const)) {
      await useHand(page, hand, dialect);
      await chooseAction(page, name, 'Change role', hand);
      await hand.choose(page.getByRole('combobox', { name: 'Role', exact: true }), 'Designer');
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(page.getByRole('button', { name: 'Save role', exact: true }));
      await page.getByText(`${name}'s role is now Designer.`).waitFor();
      // The dialog is gone, and the reader where they were.
      expect(await page.getByRole('dialog').count()).toBe(0);

      await chooseAction(page, name, 'Remove', hand);
      const remove = page.getByRole('button', { name: 'Remove member' });
      await hand.write(page.getByLabel('Type it here'), 'somebody else');
      await hand.press(remove);
      await page.getByText("Doesn't match").waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.write(page.getByLabel('Type it here'), name);
      await (hand === mouse ? remove.dblclick() : hand.press(remove));
      await page.getByText(`${name} was removed.`).waitFor();
      expect(await page.getByRole('button', { name: `Actions for ${name}` }).count()).toBe(0);
    }
    expect(complaints).toEqual([]);
  });

  it('lists deleted members who may come back, removes them, and readmits those who need approval', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const [gone, back] = await leaveAndReturn(portal);
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await page.getByRole('heading', { name: 'Members who may come back' }).waitFor();
    await page.getByText(/^Deleted their account\. They can restore it until /).waitFor();
    await page.getByText('Restored their account and needs your approval.').waitFor();
    await page.getByRole('button', { name: 'Actions for Greta Member' }).click();
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'Approve Greta Member' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove Greta Member' }).click();
    await page.getByText('If they restore their account').waitFor();
    await page.getByLabel('Type it here').fill('Greta Member');
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('Greta Member was removed.').waitFor();
    expect(await page.getByRole('button', { name: 'Actions for Greta Member' }).count()).toBe(0);

    await chooseAction(page, 'Bela Member', 'Approve');
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: 'Designer' });
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore access' }).click();
    await page.getByText("Bela Member's role is now Designer.").waitFor();
    await page.getByRole('heading', { name: 'Members who may come back' }).waitFor({ state: 'detached' });
    const placeOf = (memberId: number) => findMembership(service.database, { memberId, accountId: 1 });
    expect([await placeOf(gone), await placeOf(back)]).toEqual([
      undefined,
      { roleType: 4, customRoleId: null, active: true, awaitsOwner: false },
    ]);
    expect(complaints).toEqual([]);
  });

  it('offers no action that the service would refuse', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'manager@acme.test', 'a/1/team');
    await chooseAction(page, 'Chiara Novak', 'Change role');
    const roles = await page
      .getByRole('combobox', { name: 'Role', exact: true })
      .locator('option')
      .allTextContents();
    expect(roles).toEqual(['Manager', 'Contributor', 'Designer', 'Member']);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    // Neither the owner nor oneself can be removed.
    expect(await page.getByRole('button', { name: /Olivia Marsh/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Actions for Mateo Ferrari' }).click();
    expect(
      await page.getByRole('button', { name: /^(?!Actions).* Mateo Ferrari$/ }).allTextContents(),
    ).toEqual(['Change role Mateo Ferrari']);
    await page.goto(portal.at('a/1/team'));

    const reader = await portal.newPage({ isOtherPerson: true });
    await signInAs(portal, reader, 'contributor@acme.test', 'a/1/team');
    await reader.getByText('manager@acme.test').waitFor();
    const buttons = reader.getByRole('main').locator('button:not(th button)');
    expect(await buttons.allTextContents()).toEqual(['Leave organization…']);
    expect(complaints).toEqual([]);
  });

  it('lets members leave, even those who may not see the page, but not the primary owner', async () => {
    await using portal = await openPortal(dialect);
    const { complaints, at, newPage } = portal;
    for (const [hand, email, screen, open] of handsInTurn(dialect, [
      [mouse, 'manager@acme.test', 'a/1/team', ['Leave organization…']],
      [keyboard, 'member@acme.test', '', ['Actions for Acme Studio', 'Leave Acme Studio']],
    ] as const)) {
      const page = await newPage({ isOtherPerson: true });
      await useHand(page, hand, dialect);
      await signInAs(portal, page, email, screen);
      for (const name of open) await hand.press(page.getByRole('button', { name, exact: true }));
      await hand.write(page.getByLabel('Type it here'), 'Acme Studio');
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(page.getByRole('button', { name: 'Leave organization', exact: true }));
      await page.getByText("You don't belong to any organization yet.").waitFor();
      await page.getByText('You left Acme Studio.').waitFor();
      expect(page.url()).toBe(at(''));
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.goto(at('a/1/team'));
      await page.getByRole('heading', { name: "You don't have access to this organization" }).waitFor();
      await page.context().close();
    }
    await signInAs(portal, portal.page, 'owner@acme.test');
    await portal.page.getByRole('button', { name: 'Actions for Birch & Co' }).click();
    await portal.page.getByRole('button', { name: 'Leave Birch & Co' }).waitFor();
    expect(await portal.page.getByRole('button', { name: 'Actions for Acme Studio' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('transfers the ownership after the owner proves who they are', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, wait, newPage } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    // Actions that are hard to undo need a recent sign-in.
    wait(11 * 60_000);
    await useHand(page, mouse, dialect);
    await chooseAction(page, 'Mateo Ferrari', 'Transfer ownership…');
    await page.getByLabel('Type it here').fill('Mateo Ferrari');
    await page.getByRole('button', { name: 'Transfer ownership', exact: true }).click();
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Password').fill('wrong, but long');
    await proof.getByRole('button', { name: 'Continue' }).click();
    await proof.getByText('The password is incorrect.').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await proof.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText("Nothing was changed, because your identity wasn't confirmed.").waitFor();
    expect(await page.getByLabel('Type it here').inputValue()).toBe('Mateo Ferrari');
    await page.getByRole('button', { name: 'Transfer ownership', exact: true }).click();
    await proof.getByLabel('Password').fill(PASSWORD);
    await proof.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Mateo Ferrari is now the owner.').waitFor();
    await page.getByRole('button', { name: 'Leave organization' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Chiara Novak' }).click();
    await page.getByRole('button', { name: 'Change role Chiara Novak' }).waitFor();
    expect(await page.getByRole('button', { name: /^Transfer ownership/ }).count()).toBe(0);

    const heir = await newPage({ isOtherPerson: true });
    await signInAs(portal, heir, 'manager@acme.test', 'a/1/team');
    await useHand(heir, keyboard, dialect);
    await chooseAction(heir, 'Olivia Marsh', 'Transfer ownership…', keyboard);
    await keyboard.write(heir.getByLabel('Type it here'), 'Olivia Marsh');
    await keyboard.press(heir.getByRole('button', { name: 'Transfer ownership', exact: true }));
    await heir.getByText('Olivia Marsh is now the owner.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows names with markup, right-to-left text or great length as text, page by page', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const names = ['<img src=x onerror=alert(1)>', 'مريم بنت أحمد', 'a'.repeat(100), '🦊'.repeat(20)];
    for (const firstName of names) {
      const { token } = await insertTestMember(service.database, {
        isConfirmed: true,
        memberships: { 1: 5 },
      });
      const body = { firstName };
      expect((await service.send('/v1/profile/update', { body, token })).status).toBe(200);
    }
    // More than a page of them.
    await Promise.all(
      Array.from({ length: 60 }, () => insertTestMember(service.database, { memberships: { 1: 5 } })),
    );
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    for (const name of names)
      await page.getByRole('cell').getByText(`${name} Member`, { exact: true }).first().waitFor();
    await page.getByText('More than 50 members').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('71 members').waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(complaints).toEqual([]);
  });
});
