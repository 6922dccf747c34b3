import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { handsInTurn, keyboard, mouse, useHand } from '../../../test/hands.js';
import { openPortal } from '../../../test/open-portal.js';
import { addMember } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');
const NAUGHTY = '<img src=x onerror=alert(1)> & “co”';

describe('the sessions of a member', () => {
  it('are ended from one window, and the other windows say so', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'manager@acme.test');
    for (const hand of handsInTurn(dialect, [keyboard, mouse])) {
      const other = await portal.newPage({ isOtherPerson: true });
      await signInAs(portal, other, 'manager@acme.test', 'a/1/team');
      await useHand(page, hand, dialect);
      await page.goto(portal.at('you/sessions'));
      await page.getByText('You have 2 active sessions.').waitFor();
      const rows = page.getByRole('listitem').filter({ hasText: 'last used' });
      expect(await rows.count()).toBe(2);
      const current = rows.filter({ hasText: 'this device' });
      // This session has no button to end it: there is "Sign out".
      expect(await current.getByRole('button', { name: /^End/ }).count()).toBe(0);

      await hand.press(rows.filter({ hasNotText: 'this device' }).getByRole('button', { name: /^End/ }));
      await page.getByText('You are signed in here and nowhere else.').waitFor();
      expect(await rows.count()).toBe(1);
      // As when the person switches to that window.
      await other.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await other.getByRole('dialog', { name: 'Your session expired' }).waitFor();
      await other.context().close();
    }
    expect(complaints).toEqual([]);
  });

  it('have names that are shown as text, and are all ended but the current one', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const member = await addMember(portal);
    const tokens = [member.token, await member.signInAgain()];
    await page.setViewportSize({ width: 320, height: 700 });
    await signInAs(portal, page, member.email, 'you/sessions');
    await page.getByText('You have 3 active sessions.').waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'this device' })
      .getByRole('button', { name: /^Rename/ })
      .click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('x'.repeat(65));
    await name.press('Enter');
    await page.getByText('At most 64 characters.', { exact: true }).waitFor();
    expect(await name.inputValue()).toBe('x'.repeat(65));
    await name.fill(NAUGHTY);
    await name.press('Enter');
    await page.locator('bdi').getByText(NAUGHTY, { exact: true }).waitFor();

    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('Your 2 other sessions end immediately.').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'End other sessions' }).click();
    await page.getByText('All your other sessions have ended.').waitFor();
    for (const token of tokens) expect((await service.send('/auth/me', { token })).status).toBe(401);
    await page.getByText('You are signed in here and nowhere else.').waitFor();
    expect(complaints).toEqual([]);
  });
});
