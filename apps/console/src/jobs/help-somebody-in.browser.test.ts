import { insertTestMail } from '@gatehouse/features/test/insert-test-mail';
import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe, screenShown } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { countClicks } from '../test/count-clicks.js';
import { linesOf } from '../test/lines-of.js';
import { type OpenConsole, openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

interface AtService {
  readonly lockedUntil: string | null;
  readonly lockedOut: boolean;
  readonly mails: readonly { readonly kind: string }[];
}

/** The service's own answer about a member. */
async function pageOf({ service }: OpenConsole, memberId: number) {
  const root = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
  return async () => {
    const response = await service.send('/v1/member/page', { token: root.token, body: { memberId } });
    return ((await response.json()) as { data: AtService }).data;
  };
}

describe('a person who cannot sign in', () => {
  it('is shown to be locked out by wrong passwords, and may try again after one click by staff', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints } = console;
    const member = await insertTestMember(service.database, { isConfirmed: true });
    const atService = await pageOf(console, member.id);
    for (let tries = 0; tries < 21; tries += 1)
      await service.send('/v1/signIn/password', {
        body: { email: member.email, password: 'Wrong-Wrong-42' },
      });
    expect((await atService()).lockedUntil).not.toBeNull();

    await signInAs(console, 'root@gatehouse.test', `members/${member.id}`);
    await page.getByRole('heading', { level: 1, name: /can't sign in from new devices until/ }).waitFor();
    await page.getByText('Sign-in failed').first().waitFor();
    await page.getByText(/^until .*\d:\d\d\s[AP]M$/).waitFor();
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Unlock now' }).click();
    await page.getByText('Unlocked. They can sign in now.').waitFor();
    expect(clicks()).toBe(1);
    await page.getByRole('heading', { level: 1, name: /can sign in\.$/ }).waitFor();
    expect(await atService()).toMatchObject({ lockedUntil: null, lockedOut: false });
    await page.getByRole('button', { name: 'More actions' }).click();
    expect(await page.getByRole('button', { name: 'Unlock now' }).count()).toBe(0);
    // A member without a second factor has lost none.
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await page.getByRole('button', { name: 'Start 2FA recovery…' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('gets a mail again with one click, and the list says whether it was sent', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints, at } = console;
    const member = await insertTestMember(service.database);
    await signInAs(console, 'root@gatehouse.test', `members/${member.id}`);
    await page.getByRole('heading', { level: 1, name: /hasn't confirmed their email address/ }).waitFor();
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Resend confirmation' }).click();
    await page.getByText(`Email sent to ${member.email}.`).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Send password reset' }).click();
    const atService = await pageOf(console, member.id);
    await expect
      .poll(async () => (await atService()).mails.map(({ kind }) => kind).sort())
      .toEqual(['activation', 'passwordReset']);
    expect(clicks()).toBe(3);

    await page.goto(at(`members/${member.id}/mail`));
    await page.getByText('Password reset').waitFor();
    await page
      .getByText(/Sent|Waiting/)
      .first()
      .waitFor();

    // A failed one is retried from the list of all failed ones.
    const { database } = service;
    await insertTestMail(database, {
      memberId: member.id,
      state: 'dead',
      lastError: 'No <b>such</b> domain',
    });
    await page.goto(at('mail'));
    await screenShown(page);
    clicks();
    await page.getByRole('link', { name: 'Failed' }).click();
    await page.getByText('No <b>such</b> domain').waitFor();
    await page.getByRole('button', { name: /^Retry/ }).click();
    await page.getByText('The email will be sent in a moment.').waitFor();
    expect(clicks()).toBe(2);

    // What is retried afterwards is not reported together with what was sent before.
    await insertTestMail(database, { memberId: member.id, state: 'dead', lastError: 'Mailbox full' });
    await page.reload();
    await page.getByText('Mailbox full').waitFor();
    await insertTestMail(database, { memberId: member.id, state: 'dead', lastError: 'Greylisted' });
    await page.getByRole('button', { name: /^Retry/ }).click();
    await page.getByText('Greylisted').waitFor();
    await page.getByText('The email will be sent in a moment.').waitFor();
    await database.write(database.update(database.tables.mailOutbox).set({ state: 'sent' }));
    await page.getByRole('button', { name: /^Retry/ }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('The email will be sent in a moment.').count()).toBe(0);

    // The filter for kinds is used by the keyboard, and follows the address.
    const kind = page.getByLabel('Type', { exact: true });
    await kind.focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/kind=/);
    const chosen = await kind.inputValue();
    expect(chosen).not.toBe('');
    expect(await kind.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.goBack();
    await expect.poll(() => kind.inputValue()).toBe('');
    await page.goForward();
    await expect.poll(() => kind.inputValue()).toBe(chosen);

    // The mails of one person are found by what support knows of them, together with the other filters.
    const other = await insertTestMember(database);
    await insertTestMail(database, { memberId: other.id, state: 'dead', lastError: 'Not theirs' });
    await page.goto(at('mail?state=failed'));
    const theirs = page.getByText('Not theirs');
    await theirs.waitFor();
    const field = page.getByLabel('Name, email or #ID');
    await field.fill(member.email);
    await page.waitForURL(/q=/);
    await page.getByText('Mailbox full').waitFor({ state: 'detached' });
    await theirs.waitFor({ state: 'detached' });
    await page.getByText('No matching emails').waitFor();
    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    await page.waitForURL(/state=sent/);
    await page.getByRole('table').getByText('Confirm your email address').first().waitFor();
    expect(await field.inputValue()).toBe(member.email);
    await field.fill(`#${other.id}`);
    await page.waitForURL(new RegExp(`q=%23${other.id}`));
    await page.getByRole('link', { name: 'Failed' }).click();
    await theirs.waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.reload();
    await theirs.waitFor();
    expect(await field.inputValue()).toBe(`#${other.id}`);
    const about = { onBehalfOfId: member.id };
    expect(await linesOf(service, 'mail.retried')).toMatchObject([about, about]);
    expect(complaints).toEqual([]);
  });
});
