import { totpCode, totpStep } from '@gatehouse/auth-core';
import { findOpenRecovery } from '@gatehouse/db/queries/recoveries';
import { sealCancelToken } from '@gatehouse/features/authentication/recovery/close-recovery';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { keyboard, mouse, useHand } from '../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, addMemberWithApp, fromBase32 } from '../test/people.js';
import { openRecovery } from '../test/recoveries.js';

const dialect = inject('dialect');

async function signIn({ page, at }: OpenPortal, email: string, query = ''): Promise<void> {
  await page.goto(at(`sign-in${query}`));
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe('a lost second factor', () => {
  it('is replaced after a sign-in with the recovery ticket as second step, which allows nothing else before', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, nowMs } = portal;
    const member = await addMemberWithApp(portal);
    const { ticket } = await openRecovery(portal, member.id);
    await signIn(portal, member.email);
    await page.getByRole('link', { name: "I've lost access to my second factor" }).click();
    const field = page.getByLabel('Recovery code', { exact: true });
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The recovery code is incorrect, has already been used, or has expired.').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await useHand(page, keyboard, dialect);
    await keyboard.write(field, ticket);
    await keyboard.press(page.getByRole('button', { name: 'Use recovery code' }));
    await page.waitForURL(at('you/security'));
    await page.getByRole('heading', { level: 2, name: 'Add your new second factor' }).waitFor();
    await page.getByText('No authenticator app.').waitFor();
    // What the session may not do is not offered.
    for (const name of ['Turn off', 'Create new codes', 'Change password'])
      expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
    expect(await flawsOfLook(page)).toEqual([]);

    await page.getByRole('button', { name: 'Add an app' }).click();
    const shown = await page.locator('.font-mono.select-all').first().textContent();
    const secret = fromBase32((shown ?? '').replace(/\s/g, ''));
    await page.getByLabel('6-digit code').fill(totpCode(secret, totpStep(nowMs())));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: "I've saved these codes" }).click();
    await page.getByRole('heading', { level: 2, name: 'Your sign-in is well protected' }).waitFor();
    await page.getByText('A recovery was completed').waitFor();
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is replaced after a sign-in with one step', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const member = await addMember(portal);
    const { ticket } = await openRecovery(portal, member.id);
    await page.goto(at('help'));
    await page.getByRole('link', { name: 'Account recovery' }).click();
    await page.getByText('Sign in as usual first.').waitFor();
    await page.getByRole('link', { name: 'Sign in', exact: true }).last().click();
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await useHand(page, mouse, dialect);
    await mouse.write(page.getByLabel('Recovery code', { exact: true }), ticket);
    await mouse.press(page.getByRole('button', { name: 'Use recovery code' }));
    await page.waitForURL(at('you/security'));
    await page.getByRole('heading', { level: 2, name: 'Add your new second factor' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the mailed link about a recovery', () => {
  it('cancels the recovery by a button, and not by being opened', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, service } = portal;
    const member = await addMemberWithApp(portal);
    const { recoveryId } = await openRecovery(portal, member.id);
    const token = sealCancelToken(service.services, recoveryId);
    const link = `${new URL(at('')).origin}/recovery?${new URLSearchParams({ token }).toString()}`;
    await page.goto(link);
    await page.getByRole('heading', { name: 'Cancel the recovery?' }).waitFor();
    expect(page.url()).toBe(at('recovery'));
    expect(await findOpenRecovery(service.database, member.id)).toBeDefined();
    await useHand(page, keyboard, dialect);
    await keyboard.press(page.getByRole('button', { name: 'Cancel recovery' }));
    await page.getByRole('heading', { name: 'Recovery canceled' }).waitFor();
    expect(await findOpenRecovery(service.database, member.id)).toBeUndefined();
    expect(await flawsOfLook(page)).toEqual([]);

    await page.goto(link);
    await page.getByRole('button', { name: 'Cancel recovery' }).click();
    await page.getByText('This link is no longer valid').waitFor();
    expect(complaints).toEqual([]);
  });
});
