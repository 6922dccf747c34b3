import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { openPortal, PASSWORD } from '../../../test/open-portal.js';
import { addMemberWithApp } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');
const created = z.object({ data: z.object({ id: z.int() }) });

describe('the settings of an account', () => {
  it('rename it everywhere, and keep a name that is refused', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/settings');
    const name = page.getByLabel('Name of the account');
    await name.fill('a'.repeat(300));
    await name.press('Enter');
    await page.getByText('At most 100 characters.').waitFor();
    expect(await name.inputValue()).toBe('a'.repeat(300));
    expect(await findingsOfAxe(page)).toEqual([]);
    await name.fill('<b>Acme</b> & Söhne');
    await name.press('Enter');
    await page.getByText('The account is called <b>Acme</b> & Söhne now.').waitFor();
    await page.getByRole('button', { name: /^Account: <b>Acme<\/b> & Söhne/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('ask for a second factor, and say how many have none, but shut out nobody who sets it', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/settings');
    await page.getByLabel('What the account asks for').selectOption({ label: 'A second factor is required' });
    await page.getByRole('button', { name: 'Set this' }).click();
    await page.getByText('You would shut yourself out').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);

    const member = await addMemberWithApp(portal);
    const answer = await service.send('/v1/account/create', { body: { name: 'Keep' }, token: member.token });
    const { id } = created.parse(await answer.json()).data;
    await insertTestMember(service.database, { memberships: { [id]: 5 } });
    const own = await portal.newPage({ isOtherPerson: true });
    await own.goto(portal.at(`sign-in?next=/portal/a/${id}/settings`));
    await own.getByLabel('E-mail').fill(member.email);
    await own.getByLabel('Password').fill(PASSWORD);
    await own.getByRole('button', { name: 'Sign in', exact: true }).click();
    await own.getByLabel('Code').fill(member.code());
    await own.getByRole('button', { name: 'Sign in', exact: true }).click();
    await own.getByLabel('What the account asks for').selectOption({ label: 'A second factor is required' });
    await own.getByLabel('From when').selectOption({ label: 'in 7 days' });
    await own.getByRole('button', { name: 'Set this' }).click();
    await own.getByText('One of 2 members has none yet.').waitFor();
    expect(await findingsOfAxe(own)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('close it after its name is typed, and it comes back from the page with the accounts', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/settings');
    await page.getByRole('button', { name: 'Close this account' }).click();
    await page.getByLabel('Type it here').fill('Acme');
    await page.getByRole('button', { name: 'Close the account' }).click();
    await page.getByText('This is not the same.').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByLabel('Type it here').fill('Acme Studio');
    await page.getByRole('button', { name: 'Close the account' }).click();
    await page.getByRole('heading', { level: 2, name: 'Closed accounts' }).waitFor();
    expect(page.url()).toBe(at(''));
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore Acme Studio' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Acme Studio' }).click();
    await page.getByRole('heading', { level: 1, name: '7 people belong to Acme Studio.' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('are not there for those who may not change them', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'manager@acme.test', 'a/1/settings');
    await page.getByRole('heading', { name: 'You may not see this.' }).waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
