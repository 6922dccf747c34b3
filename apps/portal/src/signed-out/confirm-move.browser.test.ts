import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { changeAddress } from '@gatehouse/features/registration/move-address';
import { flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type OpenPortal, openPortal } from '../test/open-portal.js';
import { addMemberWithApp, mailTo } from '../test/people.js';

const dialect = inject('dialect');
const NEXT = 'moved@new.test';

/** A member with an authenticator app for whom staff requested another address, and the link to confirm it. */
async function startMove(portal: OpenPortal) {
  const { services, database } = portal.service;
  const member = await addMemberWithApp(portal);
  await changeAccess(database, { members: [member.id] }, (tx) =>
    changeAddress(tx, services, { memberId: member.id, email: NEXT }),
  );
  const { link } = await mailTo(portal, NEXT, 'activation');
  const address = async () => (await findMemberAddress(database, member.id))?.email;
  return { ...member, link, address };
}

describe('the link mailed to the new address of a member with a second factor', () => {
  it('changes no address for a robot that presses every button, with or without scripts', async () => {
    await using portal = await openPortal(dialect);
    const { browser } = portal;
    const { email, link, address } = await startMove(portal);
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled });
      const robot = await context.newPage();
      await robot.goto(link);
      const buttons = robot.getByRole('button');
      await buttons.first().waitFor();
      for (let at = (await buttons.count()) - 1; at >= 0; at -= 1) await buttons.nth(at).click();
      if (!javaScriptEnabled) await robot.getByText('The address is not confirmed yet.').waitFor();
      expect(await address()).toBe(email);
    }
  });

  it('accepts the password, a code of the app or a backup code, and looks right', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const { email, link, address, code } = await startMove(portal);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Confirm your new address' }).waitFor();
    await page.getByText('Use moved@new.test as the email address of').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    const submit = page.getByRole('button', { name: 'Confirm address' });
    await page.getByLabel('Password').fill('not the password');
    await submit.click();
    await page.getByRole('alert').getByText('The password is incorrect.').waitFor();
    await page.getByRole('button', { name: 'Use a backup code' }).press('Enter');
    await page.getByLabel('Backup code').fill('0000000000000');
    await submit.click();
    await page.getByRole('alert').getByText('The code is incorrect or has already been used.').waitFor();
    await page.getByRole('button', { name: 'Use the authenticator app' }).press('Enter');
    await page.getByLabel('Code').fill(code());
    expect(await flawsOfLook(page)).toEqual([]);
    expect(await address()).toBe(email);
    await submit.click();
    await page.getByRole('heading', { name: 'Your address was changed' }).waitFor();
    expect(await address()).toBe(NEXT);
    expect(complaints).toEqual([]);
  });

  it('accepts a backup code without scripts', async () => {
    await using portal = await openPortal(dialect);
    const { link, address, backupCodes } = await startMove(portal);
    const context = await portal.browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(link);
    await plain.getByLabel('Or a code from your authenticator app').fill(backupCodes[0] ?? '');
    await plain.getByRole('button', { name: 'Confirm address' }).click();
    await plain.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    expect(await address()).toBe(NEXT);
  });

  it('needs only a click where the member is signed in', async () => {
    await using portal = await openPortal(dialect);
    const { page } = portal;
    const { link, address, token } = await startMove(portal);
    const cookie = { name: 'gatehouse-dev', value: token, domain: 'localhost', path: '/' };
    await page.context().addCookies([cookie]);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('heading', { name: 'Your address was changed' }).waitFor();
    expect(await address()).toBe(NEXT);
    await page.getByRole('link', { name: 'Go to your profile' }).click();
    await page.getByText('Confirmed.', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/portal/you');
  });
});
