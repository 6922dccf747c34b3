import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { handsInTurn, keyboard, mouse, useHand } from '../../test/hands.js';
import { openPortal } from '../../test/open-portal.js';
import { addMember } from '../../test/people.js';
import { signInAs } from '../../test/sign-in-as.js';

const dialect = inject('dialect');

describe('the page with the accounts', () => {
  it('leads on to each in its own tab, because the account is in the path', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, newPage } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    for (const hand of handsInTurn(dialect, [keyboard, mouse])) {
      const other = await newPage();
      await useHand(other, hand, dialect);
      await other.goto(at('a/1/team'));
      await other.locator('h1').waitFor();
      const menu = other.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await hand.press(menu);
      await hand.press(other.getByRole('button', { name: /^Account: Acme Studio/ }));
      expect(await findingsOfAxe(other)).toEqual([]);
      await hand.press(other.getByRole('navigation').getByRole('link', { name: /Birch & Co/ }));
      await other.getByRole('heading', { level: 1, name: /Birch & Co/ }).waitFor();
      expect(other.url()).toBe(at('a/2/team'));
      // Screen readers announce the new screen.
      expect(await other.evaluate('document.activeElement.tagName')).toBe('H1');
      await page.reload();
      await page.getByRole('heading', { level: 1, name: /Acme Studio/ }).waitFor();
      await other.goBack();
      await other.getByRole('heading', { level: 1, name: /Acme Studio/ }).waitFor();
      await other.close();
    }
    expect(complaints).toEqual([]);
  });

  it('opens another account, and leads there', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test');
    await page.getByRole('button', { name: 'Open another account' }).press('Enter');
    await page.getByLabel('Name of the account').waitFor();
    await page.keyboard.type('Copper & Co');
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'One person belongs to Copper & Co.' }).waitFor();
    await page.getByRole('button', { name: /^Account: Copper & Co/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the invitations to one, which are accepted or declined there', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, newPage } = portal;
    const member = await addMember(portal);
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await page.getByRole('button', { name: 'Invite people' }).click();
    await page.getByLabel('Email address').fill(member.email);
    await page.keyboard.press('Enter');
    await page.getByText(`Invitation sent to ${member.email}.`).waitFor();
    const own = await newPage({ isOtherPerson: true });
    await signInAs(portal, own, member.email);
    await own.getByText('You belong to no account.').waitFor();
    await own.getByRole('button', { name: 'Accept Acme Studio' }).waitFor();
    expect(await findingsOfAxe(own)).toEqual([]);
    await own.getByRole('button', { name: 'Accept Acme Studio' }).click();
    await own.getByRole('main').getByRole('link', { name: 'Acme Studio' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
