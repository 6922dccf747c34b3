import { setTimeout as pause } from 'node:timers/promises';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { countClicks } from '../test/count-clicks.js';
import { openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

describe('affiliates', () => {
  it('are found, get other terms, and are switched off', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints } = console;
    const { database } = service;
    const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
    const member = await insertTestMember(database, { isConfirmed: true });
    const call = async (name: string, body: object) =>
      (await (await service.send(`/v1/affiliate/${name}`, { token: root.token, body })).json()) as {
        data: object;
      };
    const terms = { memberId: member.id, code: 'lantern', commissionPercent: 10, payoutEmail: member.email };
    await call('save', terms);

    await signInAs(console, 'root@gatehouse.test', 'mail');
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: 'Affiliates' }).click();
    // The next screen appears after the search for the typed text.
    await page.route('**/*.js', async (route) => {
      await pause(500);
      await route.continue();
    });
    await page.getByLabel('Name, email or code').fill('lant');
    await page.getByRole('link', { name: 'Test Member' }).click();
    await page.getByRole('heading', { level: 1, name: 'Test Member is an active affiliate.' }).waitFor();
    await page.getByLabel('Commission in percent').fill('12.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    expect(clicks()).toBe(3);
    await page.getByRole('button', { name: 'Deactivate link' }).click();
    await page
      .getByRole('heading', { level: 1, name: 'Test Member is not an affiliate at the moment.' })
      .waitFor();
    expect((await call('search', { search: 'lantern' })).data).toMatchObject([
      { memberId: member.id, commissionPercent: 12.5, active: false },
    ]);
    expect(complaints).toEqual([]);
  });
});
