import { insertTestMember } from '@gatehouse/testkit';
import { screenShown } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openConsole, type Page } from '../test/open-console.js';

const dialect = inject('dialect');

const MAX_TABS = 60;

/** Presses Tab until something with such a name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const named = page.locator(':focus').and(
    page
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('link', { name, exact: true }))
      .or(page.getByRole('textbox', { name, exact: true }))
      .or(page.getByLabel(name, { exact: true })),
  );
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if ((await named.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(name)}`);
}

/** Opens what is found by the palette. */
async function open(page: Page, letters: string, option: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type(letters);
  await page.getByRole('option', { name: option }).waitFor();
  await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toMatch(option);
  await expect
    .poll(() => page.getByRole('dialog').getByRole('combobox').getAttribute('aria-busy'))
    .toBe('false');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('combobox').waitFor({ state: 'detached' });
}

it('signing in and the first five jobs of the console need no mouse', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints, at } = console;
  const member = await insertTestMember(service.database);
  for (let tries = 0; tries < 21; tries += 1)
    await service.send('/v1/signIn/password', { body: { email: member.email, password: 'Wrong-Wrong-42' } });

  await page.goto(at('sign-in'));
  await screenShown(page);
  await tabTo(page, 'Email');
  await page.keyboard.type('root@gatehouse.test');
  await tabTo(page, 'Password');
  await page.keyboard.type('Lantern-Harbor-42');
  await page.keyboard.press('Enter');
  await page.locator('nav').first().waitFor({ state: 'attached' });
  await screenShown(page);

  // 1 and 2: find a person, and everything about them.
  const address = new RegExp(member.email.replaceAll('.', String.raw`\.`));
  await open(page, member.email, address);
  await page.getByRole('heading', { level: 1, name: /can't sign in from new devices until/ }).waitFor();

  // 3: why they cannot sign in, which one key fixes.
  await open(page, 'cannot get in', /Sign-in problems/);
  await tabTo(page, 'Person');
  await page.keyboard.type(member.email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /can't sign in from new devices until/ }).waitFor();
  await tabTo(page, 'Unlock now');
  await page.keyboard.press('Enter');
  await page.getByText('Unlocked. They can sign in now.').waitFor();

  // 4: a mail again.
  await tabTo(page, 'Resend confirmation');
  await page.keyboard.press('Enter');
  await page.getByText(`Email sent to ${member.email}.`).waitFor();

  // 5: see whether it was sent.
  await open(page, 'email log', /Email log/);
  await page.getByRole('row').filter({ hasText: 'Confirm your email address' }).first().waitFor();
  expect(complaints).toEqual([]);
});
