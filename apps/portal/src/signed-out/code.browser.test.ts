import { flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { keyboard, mouse, useHand } from '../test/hands.js';
import { openPortal } from '../test/open-portal.js';
import { addMember, mailTo } from '../test/people.js';

const dialect = inject('dialect');

describe('signing in by mail', () => {
  it('takes the code, also pasted with blanks, and says that a wrong one is wrong', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const { email } = await addMember(portal);
    await useHand(page, keyboard, dialect);
    await page.goto(at('sign-in'));
    await keyboard.press(page.getByRole('link', { name: 'Get a code by mail' }));
    await keyboard.write(page.getByLabel('E-mail'), email);
    await page.keyboard.press('Enter');
    const field = page.getByLabel('The eight digits in the mail');
    await field.waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await field.fill('00000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The code is wrong, or was used before.').waitFor();
    const { text } = await mailTo(portal, email, 'signInCode');
    const [code = ''] = /\b\d{8}\b/.exec(text) ?? [];
    await useHand(page, keyboard, dialect);
    await keyboard.write(field, `${code.slice(0, 4)} ${code.slice(4)}`);
    await keyboard.press(page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.getByRole('heading', { name: /^You are signed in as/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes the code of the first mail although a second one was requested', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    const { email } = await addMember(portal);
    const ask = async () => {
      await page.getByLabel('E-mail').fill(email);
      await page.keyboard.press('Enter');
      await page.getByLabel('The eight digits in the mail').waitFor();
      return /\b\d{8}\b/.exec((await mailTo(portal, email, 'signInCode')).text)?.[0] ?? '';
    };
    await page.goto(at('code'));
    const first = await ask();
    await page.getByRole('button', { name: 'Send another mail' }).click();
    expect(await ask()).not.toBe(first);
    await page.getByLabel('The eight digits in the mail').fill(first);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^You are signed in as/ }).waitFor();
  });

  it('takes the link in another tab of the requesting browser, and in no other browser', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const { email } = await addMember(portal);
    await useHand(page, mouse, dialect);
    await page.goto(at('code'));
    await mouse.write(page.getByLabel('E-mail'), email);
    await mouse.press(page.getByRole('button', { name: 'Send me a mail' }));
    await page.getByLabel('The eight digits in the mail').waitFor();
    await page.getByText(email).waitFor();
    // Other tabs need to know the request, not the person.
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(email);
    const { link } = await mailTo(portal, email, 'signInCode');
    expect(link).toContain('/signIn#email=');

    const elsewhere = await portal.newPage({ isOtherPerson: true });
    await elsewhere.goto(link);
    await elsewhere
      .getByRole('heading', { name: 'This link works only in the browser that asked for it.' })
      .waitFor();
    expect(await flawsOfLook(elsewhere)).toEqual([]);

    const tab = await portal.newPage();
    await useHand(tab, mouse, dialect);
    await tab.goto(link);
    await tab.getByRole('heading', { name: /^You are signed in as/ }).waitFor();
    await tab.goto(link);
    await tab
      .getByRole('heading', { name: 'This link works only in the browser that asked for it.' })
      .waitFor();
    await mouse.press(tab.getByRole('button', { name: 'Send me another mail' }));
    await tab.getByRole('heading', { name: 'Sign in by mail' }).waitFor();
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
    await mouse.write(typing.getByLabel('E-mail'), other.email);
    await mouse.press(typing.getByRole('button', { name: 'Send me a mail' }));
    await typing.getByLabel('The eight digits in the mail').waitFor();
    const [code = ''] = /\b\d{8}\b/.exec((await mailTo(portal, other.email, 'signInCode')).text) ?? [];
    await mouse.write(typing.getByLabel('The eight digits in the mail'), code);
    await mouse.press(typing.getByRole('button', { name: 'Sign in', exact: true }));
    await typing.getByRole('heading', { name: /^You are signed in as/ }).waitFor();
    expect(complaints).toEqual([]);
  });
});
