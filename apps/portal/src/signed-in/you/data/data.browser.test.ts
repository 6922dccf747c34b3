import { readFile } from 'node:fs/promises';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { keyboard, mouse, useHand } from '../../../test/hands.js';
import { openPortal, PASSWORD } from '../../../test/open-portal.js';
import { addMember, mailTo } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');
const saved = z.looseObject({
  format: z.literal('gatehouse-export/1'),
  profile: z.looseObject({ email: z.string() }),
  memberships: z.array(z.looseObject({ accountName: z.string() })),
});

describe('a member’s own data', () => {
  it('is saved as a file, at most once an hour', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'you/data');
    const button = page.getByRole('button', { name: 'Download my data' });
    await useHand(page, keyboard, dialect);
    const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press(button)]);
    expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d{2}-\d{2}\.json$/);
    await page.getByText(`Your browser has saved ${download.suggestedFilename()}.`).waitFor();
    const { profile, memberships } = saved.parse(JSON.parse(await readFile(await download.path(), 'utf8')));
    expect(profile.email).toBe('owner@acme.test');
    expect(memberships.map(({ accountName }) => accountName)).toContain('Acme Studio');
    expect(await findingsOfAxe(page)).toEqual([]);
    await button.click();
    await page.getByText('You can download your data once an hour.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is deleted with the member after the address is typed, and restored by the mailed link', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, at } = portal;
    const { email, token } = await addMember(portal);
    const name = '<b>Alone</b> & Sons';
    await service.send('/v1/account/create', { body: { name }, token });
    await signInAs(portal, page, email, 'you/data');
    await useHand(page, keyboard, dialect);
    await keyboard.press(page.getByRole('button', { name: 'Delete my account…' }));
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByText(name).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await useHand(page, keyboard, dialect);
    await keyboard.write(dialog.getByLabel('Type it here'), 'somebody@else.test');
    await keyboard.press(dialog.getByRole('button', { name: 'Delete my account' }));
    await dialog.getByText("Doesn't match").waitFor();
    await keyboard.write(dialog.getByLabel('Type it here'), email);
    await keyboard.press(dialog.getByRole('button', { name: 'Delete my account' }));
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    expect(page.url()).toBe(at('restore'));
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.goto(at('you'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    await page.goto((await mailTo(portal, email, 'memberDeleted')).link);
    await page.getByRole('heading', { name: 'Restore your account?' }).waitFor();
    expect(page.url()).toBe(at('restore'));
    expect(await flawsOfLook(page)).toEqual([]);
    await useHand(page, keyboard, dialect);
    await keyboard.press(page.getByRole('button', { name: 'Email me a code' }));
    await page.getByText("We've emailed you a code.").waitFor();
    const [code = ''] = /\b\d{8}\b/.exec((await mailTo(portal, email, 'mailedCode')).text) ?? [];
    await keyboard.write(page.getByLabel('Code'), code);
    await keyboard.press(page.getByRole('button', { name: 'Restore account' }));
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('link', { name }).waitFor();
    await page.goto((await mailTo(portal, email, 'memberDeleted')).link);
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is deleted after a notice of what becomes of shared accounts: handed over, or closed for everybody', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'you/data');
    await useHand(page, mouse, dialect);
    await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download my data' }).click(),
    ]);
    await page.getByRole('button', { name: 'Delete my account…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    const choice = dialog.getByLabel('You own Acme Studio. What should happen to it?');
    await dialog.getByLabel('Type it here').fill('owner@acme.test');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect.poll(() => choice.getAttribute('aria-invalid')).toBe('true');
    expect(await findingsOfAxe(page)).toEqual([]);
    const heirs = await choice.locator('option').allTextContents();
    expect(heirs.slice(0, 2)).toEqual(['Please choose', 'Close it for everyone']);
    const heir = heirs.find((each) => each.startsWith('Transfer ownership to'));
    await choice.selectOption({ label: heir ?? '' });
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    const { link } = await mailTo(portal, 'owner@acme.test', 'memberDeleted');
    await signInAs(portal, page, 'manager@acme.test', 'a/1/team');
    await page.getByRole('table').getByText('Owner', { exact: true }).locator('visible=true').waitFor();
    await page.goto(link);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Restore account' }).click();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is not deleted while the member pays for an account that nobody else can own', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const { email, token } = await addMember(portal);
    const answer = await service.send('/v1/account/create', { body: { name: 'Paid' }, token });
    const { data } = z.object({ data: z.object({ id: z.int() }) }).parse(await answer.json());
    for (const [column, value] of [
      ['provider', 'stripe'],
      ['state', 'active'],
    ] as const)
      await changeColumn(
        service.database,
        { table: 'subscriptions', column, by: 'account_id', id: data.id },
        value,
      );
    await signInAs(portal, page, email, 'you/data');
    await page.getByRole('button', { name: 'Delete my account…' }).click();
    const dialog = page.getByRole('dialog', { name: 'A subscription is still running' });
    expect(await dialog.getByRole('button', { name: 'Delete my account' }).count()).toBe(0);
    await dialog.getByRole('link', { name: 'Paid' }).click();
    await page.getByRole('button', { name: 'Close organization' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
