import { flawsOfLook, screenShown, settle } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openConsole, signInAs } from './test/open-console.js';

const dialect = inject('dialect');

const SCREENS = [
  '',
  'members',
  'members?q=nobody',
  'members/4',
  'members/4/sessions',
  'members/4/mail',
  'members/4/edit',
  'members/999999',
  'mail',
  'accounts',
  'accounts/1',
  'accounts/1/members',
  'accounts/1/billing',
  'members/4/trail',
  'members/4/trail?of=about',
  'audit?subject=member%2F4',
  'deleted',
  'deleted?of=accounts',
  'single-sign-on',
  'single-sign-on/staff',
  'staff',
  'staff/2',
  'staff/new',
  'partners',
  'partners/new',
  'partners/1',
  'developers',
  'developers/apis',
  'developers/applications',
  'developers/applications/none',
  'developers/endpoints',
  'developers/endpoints/999999',
  'webhooks',
  'webhooks?status=failed',
  'affiliates',
  'me',
  'help?who=%234',
  'bulk',
  'none',
];

describe('the screens of the console', () => {
  it('fit any screen, light and dark, in both directions, with no finding of axe and no console message', {
    timeout: 300_000,
  }, async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await page.goto(at('sign-in'));
    await screenShown(page);
    expect(['sign-in', ...(await flawsOfLook(page))]).toEqual(['sign-in']);
    await signInAs(console, 'root@gatehouse.test');
    for (const screen of SCREENS) {
      await page.goto(at(screen));
      await screenShown(page);
      await settle(page);
      expect([screen, ...(await flawsOfLook(page))]).toEqual([screen]);
      expect([screen, ...complaints]).toEqual([screen]);
    }
    await page.goto(at('mail'));
    await screenShown(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('owner');
    await page.getByRole('option', { name: /owner@acme.test/ }).waitFor();
    expect(['palette', ...(await flawsOfLook(page))]).toEqual(['palette']);
    await page.goto(at('members?q=acme'));
    await page.locator('tbody').getByRole('checkbox').first().click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'One done' }).waitFor();
    expect(['report', ...(await flawsOfLook(page))]).toEqual(['report']);
    expect(complaints).toEqual([]);
  });

  it('show people, partners and organizations in rows of 36 pixels', async () => {
    await using console = await openConsole(dialect);
    const { page, at } = console;
    await signInAs(console, 'root@gatehouse.test');
    for (const screen of ['members', 'accounts', 'partners']) {
      await page.goto(at(screen));
      await screenShown(page);
      await settle(page);
      const heights = await page
        .getByRole('table')
        .locator('tbody tr[aria-rowindex]')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
      expect([screen, ...new Set(heights)]).toEqual([screen, 36]);
    }
  });
});
