import { insertTestConsent } from '@gatehouse/features/test/test-applications';
import { insertTestMember } from '@gatehouse/testkit';
import {
  findingsOfAxe,
  flawsOfLook,
  handsInTurn,
  keyboard,
  mouse,
  useHand,
} from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type OpenConsole, openConsole, type Page, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Calls the service as root staff. */
async function asRoot({ service }: OpenConsole) {
  const root = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
  return async (call: string, body: object) =>
    (await (await service.send(`/v1/${call}`, { token: root.token, body })).json()) as { data: unknown };
}

describe('applications of the deployment', () => {
  it('are registered, trusted, given a secret and removed', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    const call = await asRoot(console);
    await signInAs(console, 'root@gatehouse.test', 'mail');
    for (const hand of handsInTurn(dialect, [mouse, keyboard])) {
      await page.goto(at('mail'));
      await page.locator('h1').waitFor();
      await useHand(page, hand, dialect);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('openid');
      await page.getByRole('option', { name: 'Applications' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 2, name: 'No applications yet' }).waitFor();

      await hand.press(button(page, 'Register application'));
      await hand.write(field(page, 'Name'), 'Wiki & co.');
      await hand.write(field(page, 'Redirect URIs'), 'https://wiki.example.com/callback');
      await page.getByRole('checkbox', { name: 'Skip consent' }).press('Space');
      await page.getByRole('checkbox', { name: 'Allow sign-in without PKCE' }).press('Space');
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(button(page, 'Register application').last());
      await page.getByText('Wiki & co. was registered.').waitFor();
      await page.getByText('Members are not asked').waitFor();
      const made = { name: 'Wiki & co.', skipConsent: true, pkceExempt: true };
      expect(await call('platformApp/list', {})).toMatchObject({ data: [made] });
      expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);

      await hand.press(button(page, 'Add client secret'));
      await hand.press(button(page, 'Create client secret'));
      await page
        .getByRole('dialog')
        .getByText(/^gthc_[0-9A-Za-z]{39}$/)
        .waitFor();
      await hand.press(button(page, "I've saved it"));
      await page.getByText('Never used').waitFor();

      await hand.press(button(page, 'Edit…'));
      await page.getByRole('checkbox', { name: 'Skip consent' }).press('Space');
      await hand.press(button(page, 'Save application'));
      await page.getByText('Members are asked').waitFor();
      expect(await call('platformApp/list', {})).toMatchObject({ data: [{ ...made, skipConsent: false }] });

      await hand.press(button(page, 'More'));
      await hand.press(button(page, 'Remove…'));
      await hand.write(page.getByLabel('Type it here'), 'Wiki & co.');
      await hand.press(button(page, 'Remove application'));
      await page.getByText('Wiki & co. was removed.').waitFor();
      expect(await call('platformApp/list', {})).toMatchObject({ data: [] });
    }
    expect(complaints).toEqual([]);
  });

  it('are hidden from staff who may not manage them', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints } = console;
    await signInAs(console, 'staff@gatehouse.test', 'developers/applications');
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('connected apps', () => {
  it('are shown to root staff on the pages of members and accounts', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at, service } = console;
    const { database } = service;
    const member = await insertTestMember(database, { isConfirmed: true, memberships: { 1: 2 } });
    await insertTestConsent(database, { memberId: member.id, accountId: 1, scopes: ['read'] });
    await signInAs(console, 'root@gatehouse.test', `members/${member.id}`);
    const heading = page.getByRole('heading', { level: 2, name: 'Connected apps' });
    await heading.waitFor();
    await page.getByText('See everything · Connected on').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(await flawsOfLook(page)).toEqual([]);

    await page.goto(at('accounts/1'));
    await heading.waitFor();
    await page.getByText('See everything · Connected on').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(await flawsOfLook(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
