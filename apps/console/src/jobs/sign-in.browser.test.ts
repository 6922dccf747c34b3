import { createApp } from '@gatehouse/api-admin/app';
import { totpCode, totpStep } from '@gatehouse/auth-core';
import { consoleSettings } from '@gatehouse/features/deployment/console-settings';
import { newestMails } from '@gatehouse/features/test/newest-mails';
import { fromBase32, type RunningService, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { addAuthenticator } from '../test/add-authenticator.js';
import { type OpenConsole, openConsole, PASSWORD, sendSignIn } from '../test/open-console.js';

const dialect = inject('dialect');
const ROOT = 'root@gatehouse.test';

/** Signs in with the password, and continues from the screen that asks for a factor to the page that adds one, with its proof. */
async function openEnrolment(console: OpenConsole): Promise<void> {
  const { page, service } = console;
  await sendSignIn(console, ROOT, 'mail?state=failed');
  await page.getByRole('heading', { name: 'The console requires two-step sign-in' }).waitFor();
  await page.getByRole('link', { name: 'Add a second factor' }).click();
  await page.getByRole('button', { name: 'Email me a code' }).click();
  const mailedCode = async () => {
    const mails = await newestMails(service);
    return /\b\d{8}\b/.exec(mails.find(({ to }) => to === ROOT)?.text ?? '')?.[0];
  };
  await expect.poll(mailedCode).toBeDefined();
  await page.getByLabel('8-digit code').fill((await mailedCode()) ?? '');
  await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
}

async function comeBack({ page, at }: OpenConsole): Promise<void> {
  await page.getByRole('button', { name: 'saved these codes' }).click();
  await page.waitForURL(at('mail?state=failed'));
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
}

async function signOut({ page }: OpenConsole): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/** The document of the sign-in. */
async function documentOf({ send }: RunningService): Promise<string> {
  return (await send('/console/sign-in', { headers: { accept: 'text/html' } })).text();
}

describe('staff of the demonstration', () => {
  it('sign in with one click, but only in development', async () => {
    await using console = await openConsole(dialect);
    const { page, at, complaints } = console;
    for (const [name, email] of [
      ['Admin of this service', ROOT],
      ['Account manager', 'staff@gatehouse.test'],
    ] as const) {
      await page.goto(at('sign-in?next=/console/members'));
      await page.getByRole('button', { name: `${name} ${email}` }).click();
      await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
      await signOut(console);
    }
    // Like the page of a development start, which leads here.
    const { key } = consoleSettings(console.service.services).demonstration ?? {};
    await page.goto(at(`sign-in?next=/console/members#as=staff%40gatehouse.test&key=${key}`));
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    expect(page.url()).toBe(at('members'));
    await signOut(console);
    expect(complaints).toEqual([]);
    expect(await documentOf(console.service)).toContain(PASSWORD);
    await using other = await startService(createApp, { dialect, application: 'admin' });
    expect(await documentOf(other)).not.toContain(PASSWORD);
  });
});

describe('staff who need a second factor', () => {
  it('add an authenticator app, come back, and sign in by its code or a backup code', async () => {
    await using console = await openConsole(dialect, { STAFF_ROOT_LEVEL: '2' });
    const { page, complaints, at } = console;
    await openEnrolment(console);
    await page.getByRole('button', { name: 'Use an authenticator app' }).click();
    await page.getByLabel('6-digit code').waitFor();
    const secret = fromBase32(((await page.locator('p.font-mono').textContent()) ?? '').replaceAll(' ', ''));
    const step = totpStep(Date.now());
    await page.getByLabel('6-digit code').fill(totpCode(secret, step));
    await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor();
    const [backupCode = ''] = await page.getByRole('listitem').allTextContents();
    await comeBack(console);

    for (const isBackup of [false, true]) {
      await signOut(console);
      await sendSignIn(console, ROOT);
      await page.getByRole('heading', { name: 'One more step' }).waitFor();
      if (isBackup) await page.getByRole('button', { name: 'Use a backup code' }).click();
      // Each code is accepted once; the next one is already valid.
      const code = isBackup ? backupCode : totpCode(secret, step + 1);
      await page.getByLabel(isBackup ? 'Backup code' : 'Code').fill(code);
      // The last digit sends the code of an app.
      if (isBackup) await page.keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
    }
    await page.goto(at('members/1'));
    await page.getByText(/^Authenticator app since /).waitFor();
    await page.getByText('9 backup codes left').waitFor();
    expect(complaints).toEqual([]);
  });

  it('add a passkey, come back, and sign in by it, alone or after the password', async () => {
    await using console = await openConsole(dialect, { STAFF_ROOT_LEVEL: '3' });
    const { page, complaints } = console;
    await addAuthenticator(page);
    await openEnrolment(console);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await comeBack(console);
    await signOut(console);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await signOut(console);
    await sendSignIn(console, ROOT);
    // A passkey is not a second step unless its owner turns that on: the console asks for it afterwards.
    await page.getByRole('button', { name: "Confirm it's you" }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /passkey/ })
      .click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
