import { newestMails } from '@gatehouse/features/test/newest-mails';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { countClicks } from '../test/count-clicks.js';
import { openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

describe('staff and their grants', () => {
  it('get or lose an account in three clicks, and are switched off and on, from the next request on', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints } = console;
    const colleague = await insertTestMember(service.database, {
      roleType: 6,
      isPersonnel: true,
      isConfirmed: true,
    });

    const see = async (as: string) =>
      (await service.send('/v1/account/page', { token: as, body: { accountId: 3 } })).status;
    const before = await colleague.signInAgain();
    expect(await see(before)).toBe(404);

    await signInAs(console, 'root@gatehouse.test', 'mail');
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: 'Staff' }).click();
    await page.getByLabel('Name, email or #ID').fill(colleague.email);
    await page.getByRole('link', { name: 'Test Member' }).click();
    await page
      .getByRole('heading', { level: 1, name: "Test Member can't access any organization yet." })
      .waitFor();
    await page.getByLabel(/^Add an organization/).fill('#3');
    await page.getByRole('button', { name: /^Grant access/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Test Member can access one organization.' }).waitFor();
    expect(clicks()).toBe(3);
    expect(await see(before)).toBe(401);
    const granted = await colleague.signInAgain();
    expect(await see(granted)).toBe(200);

    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('heading', { level: 1, name: /access any organization yet/ }).waitFor();
    expect(await see(granted)).toBe(401);
    const withoutGrant = await colleague.signInAgain();
    expect(await see(withoutGrant)).toBe(404);

    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('heading', { level: 1, name: 'Test Member is deactivated.' }).waitFor();
    expect(await see(withoutGrant)).toBe(401);
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByRole('heading', { level: 1, name: /access any organization yet/ }).waitFor();
    expect(await see(await colleague.signInAgain())).toBe(404);
    expect(complaints).toEqual([]);
  });

  it('are invited by mail or made of a member, and then appear in the list', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints, at } = console;
    const member = await insertTestMember(service.database, { isConfirmed: true });
    await signInAs(console, 'root@gatehouse.test', `members/${member.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Add to staff' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add to staff' }).click();
    await page.waitForURL(at(`staff/${member.id}`));
    const list = async (token: string) =>
      (await service.send('/v1/personnel/list', { token, body: {} })).status;
    expect(await list(member.token)).toBe(401);
    expect(await list(await member.signInAgain())).toBe(200);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('invite coll');
    await page.getByRole('option', { name: 'Invite staff' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(at('staff/new'));
    // The previous screen has the same labels, and stays until this one is loaded.
    await page.getByRole('heading', { level: 1, name: 'Invite staff' }).waitFor();
    await page.getByLabel('Email').fill('nora@colleagues.test');
    await page.getByLabel('First name').fill('Nora');
    await page.getByLabel('Last name').fill('New');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page
      .getByRole('heading', { level: 1, name: "Nora New is invited and hasn't joined yet." })
      .waitFor();
    await page.getByRole('button', { name: 'Resend invitation' }).click();
    await page.getByText('Invitation to nora@colleagues.test resent.').waitFor();
    const mails = (await newestMails(service)).filter(({ to }) => to === 'nora@colleagues.test');
    expect(mails.map(({ kind }) => kind)).toEqual(['staffInvitation', 'staffInvitation']);

    await page.goto(at('staff?q=nora'));
    await page.getByRole('link', { name: 'Nora New' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
