import { findingsOfAxe, screenShown } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { handsInTurn, keyboard, mouse, useHand } from '../../test/hands.js';
import { openPortal } from '../../test/open-portal.js';
import { addMember } from '../../test/people.js';
import { signInAs } from '../../test/sign-in-as.js';

const dialect = inject('dialect');

describe('the page with the accounts', () => {
  it('opens each account in its own tab, because the account is in the path', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, newPage } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    for (const hand of handsInTurn(dialect, [keyboard, mouse])) {
      const other = await newPage();
      await useHand(other, hand, dialect);
      await other.goto(at('a/1/team'));
      await screenShown(other);
      const menu = other.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await hand.press(menu);
      await hand.press(other.getByRole('button', { name: /^Organization: Acme Studio/ }));
      expect(await findingsOfAxe(other)).toEqual([]);
      await hand.press(other.getByRole('navigation').getByRole('link', { name: /Birch & Co/ }));
      await expect.poll(() => other.title()).toBe('Team · Birch & Co · Gatehouse');
      expect(other.url()).toBe(at('a/2/team'));
      // Screen readers announce the new screen once its data is there; its title is there before.
      await expect.poll(() => other.evaluate('document.activeElement.tagName')).toBe('H1');
      await page.reload();
      await expect.poll(() => page.title()).toBe('Team · Acme Studio · Gatehouse');
      await other.goBack();
      await expect.poll(() => other.title()).toBe('Team · Acme Studio · Gatehouse');
      await other.close();
    }
    expect(complaints).toEqual([]);
  });

  it('creates another account, and leads there', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test');
    await page.getByRole('button', { name: 'Create an organization' }).press('Enter');
    await page.getByLabel('Organization name').waitFor();
    await page.keyboard.type('Copper & Co');
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('One member').waitFor();
    await page.getByRole('button', { name: /^Organization: Copper & Co/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows the member's invitations, which are accepted or declined there", async () => {
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
    await own.getByText('organization yet').waitFor();
    await own.getByRole('button', { name: 'Accept Acme Studio' }).waitFor();
    expect(await findingsOfAxe(own)).toEqual([]);
    await own.getByRole('button', { name: 'Accept Acme Studio' }).click();
    await own.getByRole('main').getByRole('link', { name: 'Acme Studio' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
