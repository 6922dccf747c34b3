import { flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { keyboard, mouse, useHand } from '../test/hands.js';
import { openPortal } from '../test/open-portal.js';
import { addMember, mailTo } from '../test/people.js';

const dialect = inject('dialect');

describe('signing in by mail', () => {
  it('accepts the code, even pasted with spaces, and says that a wrong one is wrong', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const { email } = await addMember(portal);
    await useHand(page, keyboard, dialect);
    await page.goto(at('sign-in'));
    await keyboard.press(page.getByRole('link', { name: 'Email me a code' }));
    await keyboard.write(page.getByLabel('Email'), email);
    await page.keyboard.press('Enter');
    const field = page.getByLabel('8-digit code');
    await field.waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await field.fill('00000000');
    await page.getByRole('alert').getByText('The code is incorrect or has already been used.').waitFor();
    const { text } = await mailTo(portal, email, 'signInCode');
    const [code = ''] = /\b\d{8}\b/.exec(text) ?? [];
    await useHand(page, keyboard, dialect);
    // The last digit sends it.
    await keyboard.write(field, `${code.slice(0, 4)} ${code.slice(4)}`);
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('accepts the code of the first mail after a second one was requested', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    const { email } = await addMember(portal);
    const ask = async () => {
      await page.getByLabel('Email').fill(email);
      await page.keyboard.press('Enter');
      await page.getByLabel('8-digit code').waitFor();
      return /\b\d{8}\b/.exec((await mailTo(portal, email, 'signInCode')).text)?.[0] ?? '';
    };
    await page.goto(at('code'));
    const first = await ask();
    await page.getByRole('button', { name: 'Send another email' }).click();
    expect(await ask()).not.toBe(first);
    await page.getByLabel('8-digit code').fill(first);
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
  });

  it('accepts the link in another tab of the requesting browser, and in no other browser', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const { email } = await addMember(portal);
    await useHand(page, mouse, dialect);
    await page.goto(at('code'));
    await mouse.write(page.getByLabel('Email'), email);
    await mouse.press(page.getByRole('button', { name: 'Email me a code' }));
    await page.getByLabel('8-digit code').waitFor();
    await page.getByText(email).waitFor();
    // Other tabs need to know the request, not the person.
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(email);
    const { link } = await mailTo(portal, email, 'signInCode');
    expect(link).toContain('/signIn#email=');

    const elsewhere = await portal.newPage({ isOtherPerson: true });
    await elsewhere.goto(link);
    await elsewhere
      .getByRole('heading', { name: 'Open this link in the browser where you requested it' })
      .waitFor();
    expect(await flawsOfLook(elsewhere)).toEqual([]);

    const tab = await portal.newPage();
    await useHand(tab, mouse, dialect);
    await tab.goto(link);
    await tab.getByRole('heading', { name: /^Welcome, / }).waitFor();
    await tab.goto(link);
    await tab
      .getByRole('heading', { name: 'Open this link in the browser where you requested it' })
      .waitFor();
    await mouse.press(tab.getByRole('button', { name: 'Email me a new code' }));
    await tab.getByRole('heading', { name: 'Sign in with an email code' }).waitFor();
    await page.evaluate(
      "localStorage.setItem('gatehouse.mail', JSON.stringify({ flow: 'old', endsAtMs: 1 }))",
    );
    await page.goto(at('help'));
    await page.locator('h1').waitFor();
    expect(await page.evaluate("localStorage.getItem('gatehouse.mail')")).toBeNull();

    const other = await addMember(portal);
    const typing = await portal.newPage({ isOtherPerson: true });
    await useHand(typing, mouse, dialect);
    await typing.goto(at('code'));
    await mouse.write(typing.getByLabel('Email'), other.email);
    await mouse.press(typing.getByRole('button', { name: 'Email me a code' }));
    await typing.getByLabel('8-digit code').waitFor();
    const [code = ''] = /\b\d{8}\b/.exec((await mailTo(portal, other.email, 'signInCode')).text) ?? [];
    await mouse.write(typing.getByLabel('8-digit code'), code);
    await typing.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(complaints).toEqual([]);
  });
});
