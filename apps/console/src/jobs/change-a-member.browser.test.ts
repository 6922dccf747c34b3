import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { countClicks } from '../test/count-clicks.js';
import { openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

describe('staff who change a member', () => {
  it('ban them with a reason, from the next request on, and lift the ban', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints, at } = console;
    const member = await insertTestMember(service.database, {
      isConfirmed: true,
      roleType: 3,
      memberships: { 1: 3 },
    });
    const knock = async () => (await service.send('/auth/me', { token: member.token })).status;
    expect(await knock()).toBe(200);

    await signInAs(console, 'root@gatehouse.test', `members/${member.id}`);
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByLabel('Reason').fill('Sells <b>tickets</b>');
    await page.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /is banned\.$/ }).waitFor();
    await page.getByText('Reason: Sells <b>tickets</b>').waitFor();
    expect(clicks()).toBe(3);
    const notice = page.getByText('Banned. Access has ended.');
    await notice.waitFor();
    await page.getByRole('button', { name: 'Close this notice' }).click();
    expect(await notice.count()).toBe(0);
    expect(await knock()).toBe(401);

    // A ban leaves the role as it is.
    await page
      .getByRole('definition')
      .filter({ hasText: /^Contributor$/ })
      .waitFor();
    await page.goto(at(`members?q=${encodeURIComponent(member.email)}`));
    await page.locator('tbody tr').filter({ hasText: 'Banned' }).getByText('Contributor').waitFor();
    await page.goto(at('accounts/1/members'));
    const row = page.getByRole('listitem').filter({ hasText: member.email });
    await row.getByText('Contributor').waitFor();
    await row.getByText('Banned').waitFor();

    await page.goto(at(`members/${member.id}`));
    await page.getByRole('button', { name: 'Lift ban' }).waitFor();
    clicks();
    await page.getByRole('button', { name: 'Lift ban' }).click();
    await page.getByText('Ban lifted.').waitFor();
    expect(clicks()).toBe(1);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Ban', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('end one session, or all of them, and the next request is refused', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints } = console;
    const member = await insertTestMember(service.database, { isConfirmed: true });
    const knock = async () => (await service.send('/auth/me', { token: member.token })).status;
    expect(await knock()).toBe(200);
    await signInAs(console, 'root@gatehouse.test', `members/${member.id}/sessions`);
    const clicks = await countClicks(page);
    await page.getByRole('heading', { level: 1, name: /has one session/ }).waitFor();
    const heads = await page.getByRole('columnheader').allTextContents();
    expect(heads).toEqual(['Device', 'IP address', 'Signed in', 'Last used', 'End session']);
    await page.getByRole('button', { name: /^End/ }).click();
    await page.getByRole('heading', { level: 1, name: /is not signed in/ }).waitFor();
    expect([clicks(), await knock()]).toEqual([1, 401]);

    const other = await insertTestMember(service.database, { isConfirmed: true });
    await page.goto(console.at(`members/${other.id}`));
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: 'End sessions' }).click();
    await page.getByText('All sessions have ended.').waitFor();
    expect(clicks()).toBe(3);
    expect((await service.send('/auth/me', { token: other.token })).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('change a name at once, and an address once its owner confirms it', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints } = console;
    const member = await insertTestMember(service.database, { isConfirmed: true });
    await signInAs(console, 'root@gatehouse.test', `members/${member.id}`);
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('First name').fill('Olive');
    await page.getByLabel('Last name').fill('Öwner');
    await page.getByLabel('Email', { exact: true }).fill('olive@new.test');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('emailed olive@new.test to confirm the new address.').waitFor();
    expect(clicks()).toBe(3);
    await page.getByRole('heading', { level: 1, name: /Olive Öwner/ }).waitFor();
    const me = (await (await service.send('/auth/me', { token: member.token })).json()) as object;
    expect(JSON.stringify(me)).toContain('Öwner');
    expect(JSON.stringify(me)).toContain(member.email);
    expect(complaints).toEqual([]);
  });
});
