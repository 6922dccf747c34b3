import { readOutbox } from '@gatehouse/testkit';
import { flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { keyboard, mouse, useHand } from '../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, addMemberWithApp } from '../test/people.js';

const dialect = inject('dialect');

async function signIn({ page, at }: OpenPortal, email: string, query = ''): Promise<void> {
  await page.goto(at(`sign-in${query}`));
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
}

describe('the second step of a sign-in', () => {
  it('accepts a code of the app, after a wrong one, and continues to the requested page', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const { email, code } = await addMemberWithApp(portal);
    await signIn(portal, email, '?next=/portal/you');
    expect(page.url()).toBe(at('step-up?next=%2Fportal%2Fyou'));
    expect(await flawsOfLook(page)).toEqual([]);
    const field = page.getByLabel('Code');
    await useHand(page, mouse, dialect);
    let calls = 0;
    await page.route('**/trpc/signIn.step**', (route) => {
      calls += 1;
      return route.continue();
    });
    // The last digit sends a code, once.
    await mouse.write(field, code() === '000000' ? '111111' : '000000');
    await page.getByRole('alert').getByText('The code is incorrect or has already been used.').waitFor();
    expect(calls).toBe(1);
    await mouse.write(field, code());
    await page.waitForURL(at('you'));
    await page.locator('h1').waitFor();
    expect(calls).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('accepts each backup code once', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const { email, backupCodes, code } = await addMemberWithApp(portal);
    const [first = '', second = ''] = backupCodes;
    for (const [hand, backupCode, isUsed] of [
      [mouse, first, false],
      [keyboard, first, true],
      [keyboard, second, false],
    ] as const) {
      await signIn(portal, email);
      await useHand(page, hand, dialect);
      await hand.press(page.getByRole('button', { name: 'Use a backup code' }));
      await hand.write(page.getByLabel('Backup code'), backupCode);
      await hand.press(page.getByRole('button', { name: 'Sign in', exact: true }));
      await (isUsed
        ? page.getByRole('alert').getByText('The code is incorrect or has already been used.')
        : page.getByRole('heading', { name: /^Welcome, / })
      ).waitFor();
    }
    await signIn(portal, email);
    await keyboard.write(page.getByLabel('Code'), code());
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('says after a reset by mail why no code is mailed to a new place, and leads to a recovery', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const { email, token } = await addMember(portal);
    const send = async (name: string, body: object) =>
      (await service.send(`/v1/${name}`, { body, token })).status;
    expect(await send('verification/prove', { password: PASSWORD })).toBe(200);
    expect(await send('factor/switch', { secondFactor: true, email: true })).toBe(200);
    expect(await send('password/forgot', { email })).toBe(200);
    const mail = (await readOutbox(service)).find(({ kind }) => kind === 'passwordReset');
    expect(await send('password/reset', { token: mail?.token, password: PASSWORD })).toBe(200);
    await signIn(portal, email);
    await page.getByText('Your password was reset by email. Until').waitFor();
    await page.getByLabel('Backup code').waitFor();
    expect(await page.getByRole('button', { name: 'Get a code by email' }).count()).toBe(0);
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('link', { name: 'request a recovery' }).click();
    await page.waitForURL(portal.at('recovery'));
    expect(complaints).toEqual([]);
  });

  it('works in a browser whose clock is a quarter of an hour ahead', async () => {
    await using portal = await openPortal(dialect);
    const { email } = await addMemberWithApp(portal);
    await portal.page.addInitScript('const { now } = Date; Date.now = () => now() + 15 * 60_000;');
    await signIn(portal, email);
    await portal.page.getByLabel('Code').waitFor();
    expect(portal.complaints).toEqual([]);
  });

  it('says in another tab that it is over, and how to continue', async () => {
    await using portal = await openPortal(dialect);
    const { email } = await addMemberWithApp(portal);
    await signIn(portal, email);
    const tab = await portal.newPage();
    await tab.goto(portal.at('step-up'));
    await tab.getByRole('heading', { name: 'Sign-in interrupted' }).waitFor();
    await tab.getByRole('link', { name: 'Sign in again' }).click();
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(tab.url()).toBe(portal.at('sign-in'));
  });

  it.each(['{', 'null', '7', '{"challenge":7}', '{"challenge":"x","endsAtMs":"x","methods":{}}'])(
    'says that it was interrupted when the stored state cannot be read: %s',
    async (kept) => {
      await using portal = await openPortal(dialect);
      const { page, at, complaints } = portal;
      await page.goto(at('help'));
      await page.evaluate(`sessionStorage.setItem('gatehouse.step', ${JSON.stringify(kept)})`);
      await page.evaluate(`localStorage.setItem('gatehouse.mail', ${JSON.stringify(kept)})`);
      await page.goto(at('step-up'));
      await page.getByRole('heading', { name: 'Sign-in interrupted' }).waitFor();
      await page.goto(at('code'));
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(complaints).toEqual([]);
    },
  );
});
