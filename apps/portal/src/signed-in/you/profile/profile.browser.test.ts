import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { handsInTurn, keyboard, mouse, useHand } from '../../../test/hands.js';
import { openPortal, PASSWORD } from '../../../test/open-portal.js';
import { addMember, mailTo } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');
const NAUGHTY = '<script>alert(1)</script> \u202Eevil 🦉';
/** As the page shows it inside a sentence, whose direction it must not reverse. */
const IN_WORDS = `\u2068${NAUGHTY} Byron\u2069`;

describe('the profile', () => {
  it('changes the member’s names everywhere at once, shows them as text, and restores a refused name', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'you');
    await page.getByLabel('First name').fill(NAUGHTY);
    await page.getByLabel('Last name').fill('Byron');
    await page.keyboard.press('Enter');
    await page.getByText(`Your name is now ${IN_WORDS}.`).waitFor();
    await page.getByText(`Your name is now ${IN_WORDS}.`).waitFor();
    expect(await page.getByRole('banner').getByText(`${NAUGHTY} Byron`).count()).toBe(1);
    expect(await findingsOfAxe(page)).toEqual([]);

    const username = page.getByLabel('Username');
    const save = page.getByRole('button', { name: 'Save Name' });
    await username.fill('manager.acme');
    await save.click();
    await page.getByText('This name is already taken.').waitFor();
    expect(await username.inputValue()).toBe('manager.acme');
    await page.getByText(`Your name is now ${IN_WORDS}.`).waitFor();
    await page.reload();
    expect(await page.getByLabel('First name').inputValue()).toBe(NAUGHTY);
    expect(await page.getByLabel('Username').inputValue()).toBe('owner.acme');
    for (const [hand, first] of handsInTurn(dialect, [
      [mouse, 'Ada'],
      [keyboard, 'Augusta'],
    ] as const)) {
      await useHand(page, hand, dialect);
      await hand.write(page.getByLabel('First name'), first);
      await hand.press(save);
      await page.getByText(`Your name is now ${first} Byron.`).waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('moves to another address once both mailboxes have agreed, and shows which have', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, newPage } = portal;
    const { email } = await addMember(portal);
    const moved = 'moved@else.test';
    await signInAs(portal, page, email, 'you');
    await page.getByLabel('New address').fill(moved);
    await page.keyboard.press('Enter');
    await page.getByText(`Your address is about to change to ${moved}.`).waitFor();
    await page.getByText(`Waiting for confirmation from ${email}.`).waitFor();
    await page.getByText(`Waiting for confirmation from ${moved}.`).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resend emails' }).click();
    await page.getByText('Emails sent.', { exact: true }).waitFor();

    const mailbox = await newPage({ isOtherPerson: true });
    await mailbox.goto((await mailTo(portal, email, 'addressApproval')).link);
    await mailbox.getByRole('heading', { name: 'Approve this email change?' }).waitFor();
    // The token of the link is removed from the address before the first call.
    expect(mailbox.url()).toBe(at('email-approval'));
    await mailbox.getByText('m***@else.test').waitFor();
    expect(await flawsOfLook(mailbox)).toEqual([]);
    await useHand(mailbox, keyboard, dialect);
    await keyboard.press(mailbox.getByRole('button', { name: 'Approve change' }));
    await mailbox.getByLabel('Password, to approve immediately (optional)').waitFor();
    expect(await findingsOfAxe(mailbox)).toEqual([]);
    await keyboard.press(mailbox.getByRole('button', { name: 'Approve change' }));
    await mailbox.getByRole('heading', { name: 'You approved the change' }).waitFor();
    await mailbox.getByText("You didn't enter your password").waitFor();
    expect(await findingsOfAxe(mailbox)).toEqual([]);
    await mailbox.goto((await mailTo(portal, email, 'addressAgreed')).link);
    await mailbox.getByText('This change was approved without a password.').waitFor();
    await keyboard.press(mailbox.getByRole('button', { name: 'Approve change' }));
    await keyboard.write(mailbox.getByLabel('Password, to approve immediately (optional)'), PASSWORD);
    await keyboard.press(mailbox.getByRole('button', { name: 'Approve change' }));
    await mailbox.getByText('as soon as it has been confirmed too').waitFor();
    await mailbox.goto((await mailTo(portal, email, 'addressAgreed')).link);
    await mailbox.getByRole('heading', { name: "You've already responded" }).waitFor();

    await page.reload();
    await page.getByText(`${email} is confirmed.`).waitFor();
    await page.getByText(`Waiting for confirmation from ${moved}.`).waitFor();
    await mailbox.goto((await mailTo(portal, moved, 'activation')).link);
    await keyboard.press(mailbox.getByRole('button', { name: 'Confirm address' }));
    await mailbox.getByRole('heading', { name: 'Your address was changed' }).waitFor();
    // The profile notices this by itself.
    await page.getByText('Your address is about to change to').waitFor({ state: 'detached' });
    await page.getByRole('main').getByText(moved).waitFor();
    expect(complaints).toEqual([]);
  });

  it('keeps the current address when the member cancels, or its mailbox refuses', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, newPage } = portal;
    const { email } = await addMember(portal);
    await signInAs(portal, page, email, 'you');
    const field = page.getByLabel('New address');
    await field.fill('nothing');
    await field.press('Enter');
    await page.getByText('Enter a valid email address.').waitFor();
    await field.fill('first@else.test');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Cancel change' }).click();
    await page.getByText(`Your address is still ${email}.`).waitFor();

    await field.fill('second@else.test');
    await field.press('Enter');
    await page.getByText('Your address is about to change to second@else.test.').waitFor();
    const mailbox = await newPage({ isOtherPerson: true });
    await mailbox.goto((await mailTo(portal, email, 'addressApproval')).link);
    await mailbox.getByRole('button', { name: 'Reject change' }).click();
    await mailbox.getByLabel('Password, to sign out everywhere (optional)').fill(PASSWORD);
    await mailbox.getByRole('button', { name: 'Reject change' }).click();
    await mailbox.getByRole('heading', { name: 'You rejected the change' }).waitFor();
    expect(await findingsOfAxe(mailbox)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes one answer of the present mailbox at a time, and says if it was answered before', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, newPage } = portal;
    const { email } = await addMember(portal);
    await signInAs(portal, page, email, 'you');
    await page.getByLabel('New address').fill('moved@else.test');
    await page.keyboard.press('Enter');
    await page.getByText('Your address is about to change to moved@else.test.').waitFor();
    const { link } = await mailTo(portal, email, 'addressApproval');
    const elsewhere = await newPage({ isOtherPerson: true });
    let sent = 0;
    for (const mailbox of [page, elsewhere])
      await mailbox.route('**/trpc/email.approve?**', async (route) => {
        sent += 1;
        const other = mailbox === page ? 'Reject change' : 'Back';
        await mailbox.getByRole('button', { name: other }).press('Enter');
        await route.continue();
      });
    await elsewhere.goto(link);
    await elsewhere.getByRole('button', { name: 'Approve change' }).click();
    await elsewhere.getByLabel('Password, to approve immediately (optional)').waitFor();
    await page.goto(link);
    await page.getByRole('button', { name: 'Approve change' }).click();
    await page.getByRole('heading', { name: 'You approved the change' }).waitFor();
    expect(sent).toBe(1);
    await elsewhere.getByRole('button', { name: 'Approve change' }).click();
    await elsewhere.getByRole('heading', { name: "You've already responded" }).waitFor();
    expect(sent).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('asks for a proof when the session is no longer fresh, and keeps what was typed', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, wait } = portal;
    const { email } = await addMember(portal);
    await signInAs(portal, page, email, 'you');
    wait(601_000);
    const field = page.getByLabel('New address');
    await field.fill('later@else.test');
    await field.press('Enter');
    await page.getByRole('dialog', { name: "Confirm it's you" }).waitFor();
    await page.getByLabel('Password').fill('Lantern-Harbor-42');
    await page.keyboard.press('Enter');
    await page.getByText('Your address is about to change to later@else.test.').waitFor();
    expect(complaints).toEqual([]);
  });

  it("sets the language of the member's mails", async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, newPage } = portal;
    const { email } = await addMember(portal);
    await signInAs(portal, page, email, 'you');
    await page.getByLabel('Language of emails').selectOption({ label: 'Deutsch' });
    await page.getByRole('button', { name: 'Save Language' }).press('Enter');
    await page.getByText("We'll email you in German from now on.").waitFor();
    await useHand(page, mouse, dialect);
    await mouse.write(page.getByLabel('New address'), 'neu@else.test');
    await mouse.press(page.getByRole('button', { name: 'Change address' }));
    await page.getByText('Your address is about to change to neu@else.test.').waitFor();
    const { link, text } = await mailTo(portal, email, 'addressApproval');
    expect(text).toContain('Adresse');
    const mailbox = await newPage({ isOtherPerson: true });
    await useHand(mailbox, mouse, dialect);
    await mailbox.goto(link);
    await mouse.press(mailbox.getByRole('button', { name: 'Approve change' }));
    await mouse.write(mailbox.getByLabel('Password, to approve immediately (optional)'), PASSWORD);
    await mouse.press(mailbox.getByRole('button', { name: 'Approve change' }));
    await mailbox.getByRole('heading', { name: 'You approved the change' }).waitFor();
    await mailbox.goto((await mailTo(portal, 'neu@else.test', 'activation')).link);
    await mouse.press(mailbox.getByRole('button', { name: 'Confirm address' }));
    await mailbox.getByRole('heading', { name: 'Your address was changed' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('has the theme of every screen in this browser, also after a sign-out', async () => {
    await using portal = await openPortal(dialect);
    const { page, at, complaints } = portal;
    const { email } = await addMember(portal);
    await signInAs(portal, page, email, 'you');
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    const field = page.getByLabel('Theme in this browser');
    await field.selectOption('Dark');
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe('dark');
    expect(await paper()).toBe(dark);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
    await page.emulateMedia({ media: 'screen' });

    await page.context().clearCookies();
    await page.goto(at('sign-in'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await paper()).toBe(dark);
    await signInAs(portal, page, email, 'you');
    await field.selectOption('Same as device');
    expect(await paper()).toBe(light);
    expect(complaints).toEqual([]);
  });
});
