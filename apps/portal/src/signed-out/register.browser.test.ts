import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { handsInTurn, keyboard, mouse, useHand } from '../test/hands.js';
import { openPortal } from '../test/open-portal.js';
import { mailTo } from '../test/people.js';

const dialect = inject('dialect');
const ada = { email: 'ada@lovelace.test', name: 'Ada <b>Lovelace</b>', password: 'Analytical-Engine-1843' };

describe('a new person', () => {
  it.each(
    handsInTurn(dialect, [
      ['the keyboard', keyboard],
      ['the mouse', mouse],
    ] as const),
  )(
    'registers, is signed in, and confirms the address by the link of the mail, by %s',
    async (_name, hand) => {
      await using portal = await openPortal(dialect);
      const { page, complaints, at } = portal;
      await useHand(page, hand, dialect);
      await page.goto(at('sign-in'));
      await hand.press(page.getByRole('link', { name: 'Create an account' }));
      await hand.write(page.getByLabel('Email'), ` ${ada.email} `);
      await hand.write(page.getByLabel('Username'), ada.name);
      const met = page.getByText('✓ At least 8 characters.');
      await hand.write(page.getByLabel('Password'), 'seven-7');
      expect(await met.count()).toBe(0);
      await hand.write(page.getByLabel('Password'), ada.password);
      await met.waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(page.getByRole('button', { name: 'Create account' }));
      await page.getByRole('heading', { name: 'Almost done: check your email' }).waitFor();
      await page.getByText(ada.email).waitFor();
      expect(page.url()).toBe(at('confirm'));
      await hand.press(page.getByRole('button', { name: 'Send the email again' }));
      await page.getByText(`The email was sent again to ${ada.email}.`).waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      const wrong = page.getByRole('link', { name: 'Change it' });
      expect(new URL((await wrong.getAttribute('href')) ?? '', page.url()).href).toBe(at('you'));

      const { link } = await mailTo(portal, ada.email, 'activation');
      expect(link).toMatch(/\/confirm\?token=/);
      await page.goto(link);
      await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
      expect(page.url()).toBe(at('confirm'));
      // The tab keeps the link, which its address no longer has.
      await page.reload();
      await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
      // Text that people chose is shown as text, whatever it looks like.
      await page.getByText(ada.name).waitFor();
      expect(await page.getByLabel('Password').count()).toBe(0);
      if (hand === mouse) expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);
      await hand.press(page.getByRole('button', { name: 'Confirm address' }));
      await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
      await hand.press(page.getByRole('link', { name: 'Continue' }));
      await page.getByRole('heading', { name: `Welcome, ${ada.name}` }).waitFor();

      await page.goto(link);
      await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
      expect(complaints).toEqual([]);
    },
  );

  it('registers and signs in with an address in full-width letters or with a Unicode domain, which pages show in that form', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, service } = portal;
    const { members } = service.database.tables;
    for (const [typed, stored, shown, retyped] of [
      ['Ｚｏｅ＠ｂüｃｈｅｒ．ｔｅｓｔ', 'zoe@xn--bcher-kva.test', 'zoe@bücher.test', 'zoe@bücher.test'],
      ['Kim@STRAẞE.test', 'kim@xn--strae-oqa.test', 'kim@straße.test', 'ｋｉｍ@straße.test'],
    ] as const) {
      await page.context().clearCookies();
      await page.goto(at('register'));
      const field = page.getByLabel('Email');
      const attributes = { type: 'text', inputmode: 'email', autocapitalize: 'none', spellcheck: 'false' };
      for (const [name, value] of Object.entries(attributes))
        expect([name, await field.getAttribute(name)]).toEqual([name, value]);
      await field.fill(typed);
      await page.getByLabel('Username').fill(`Reader ${stored.slice(0, 3)}`);
      await page.getByLabel('Password').fill(ada.password);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('heading', { name: 'Almost done: check your email' }).waitFor();
      expect((await service.database.select().from(members)).map(({ email }) => email)).toContain(stored);

      await page.context().clearCookies();
      await page.goto(at('sign-in?next=/portal/you'));
      await page.getByLabel('Email').fill(retyped);
      await page.getByLabel('Password').fill(ada.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL(at('you'));
      await page.getByText(shown).first().waitFor();
      expect(await page.getByText(stored).count()).toBe(0);
    }
    expect(complaints).toEqual([]);
  });

  it('sees next to the field what is wrong, and keeps what was typed', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    await page.goto(at('register'));
    await page.getByLabel('Email').fill('owner@acme.test');
    await page.getByLabel('Username').fill('somebody');
    await page.getByLabel('Password').fill('short');
    const button = page.getByRole('button', { name: 'Create account' });
    await button.click();
    await page.getByText('Too short: at least 8 characters.').waitFor();
    const password = page.getByLabel('Password');
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('name')")).toBe('password');
    expect(await findingsOfAxe(page)).toEqual([]);
    await password.fill('password123');
    await button.click();
    await page.getByText('This password is too common.').waitFor();
    await password.fill(ada.password);
    await button.click();
    await page.getByText('An account with this address already exists.').waitFor();
    for (const name of ['Sign in', 'reset your password'])
      await page.getByRole('main').getByRole('link', { name, exact: true }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('name')")).toBe('email');
    expect(await page.getByLabel('Username').inputValue()).toBe('somebody');
    expect(await password.inputValue()).toBe(ada.password);
    expect(complaints).toEqual([]);
  });

  it('names the organization, or leaves its name to the service, which takes the username', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, service } = portal;
    const { accounts } = service.database.tables;
    const field = page.getByRole('textbox', { name: 'Organization name (optional)' });
    for (const [username, typed, name] of [
      ['Mia Berger', ` Berger & Töchter `, 'Berger & Töchter'],
      ['Noa Berger', '  ', 'Noa Berger'],
    ] as const) {
      await page.context().clearCookies();
      await page.goto(at('register'));
      await page.getByLabel('Email').fill(`${username.slice(0, 3)}@berger.test`);
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password').fill(ada.password);
      expect(await field.getAttribute('autocomplete')).toBe('organization');
      await field.fill('\u200b');
      const button = page.getByRole('button', { name: 'Create account' });
      await button.click();
      await page.getByText('Use letters or digits.').waitFor();
      await expect
        .poll(() => page.evaluate("document.activeElement.getAttribute('name')"))
        .toBe('accountName');
      expect(await findingsOfAxe(page)).toEqual([]);
      await field.fill(typed);
      await button.click();
      await page.getByRole('heading', { name: 'Almost done: check your email' }).waitFor();
      const names = (await service.database.select().from(accounts)).map((account) => account.name);
      expect(names.at(-1)).toBe(name);
    }
    expect(complaints).toEqual([]);
  });

  it('confirms in another browser with the right password, and not with a wrong one', async () => {
    await using portal = await openPortal(dialect);
    const { service, page } = portal;
    await service.send('/register', {
      body: { email: ada.email, username: ada.name, password: ada.password },
    });
    const { link } = await mailTo(portal, ada.email, 'activation');
    await page.goto(link);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('alert').getByText('The password is incorrect.').waitFor();
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(portal.at('sign-in'));
  });
});

describe('a mailed link', () => {
  it('leaves no token in the address or the history, and works without scripts', async () => {
    await using portal = await openPortal(dialect);
    const { service, page, browser, at } = portal;
    await service.send('/register', {
      body: { email: ada.email, username: ada.name, password: ada.password },
    });
    const { link } = await mailTo(portal, ada.email, 'activation');
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    await page.goto(link);
    await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
    const token = new URL(link).searchParams.get('token') ?? '';
    expect(page.url()).toBe(at('confirm'));
    // The link itself, and the call that reads what it confirms.
    expect(asked.filter((url) => url.includes(token)).map((url) => new URL(url).pathname)).toEqual([
      '/confirm',
      expect.stringContaining('/trpc/'),
    ]);

    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context?.newPage();
    await plain?.goto(link);
    await plain?.getByRole('button', { name: 'Confirm address' }).click();
    await plain?.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
  });

  it('says so when it is wrong, and where to get another', async () => {
    await using portal = await openPortal(dialect);
    const { page, at, complaints } = portal;
    await page.goto(at('confirm#token=wrong'));
    await page.getByRole('heading', { name: 'This confirmation link is no longer valid' }).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
