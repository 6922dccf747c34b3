import { flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { handsInTurn, keyboard, mouse, useHand } from '../test/hands.js';
import { openPortal } from '../test/open-portal.js';
import { addMember, mailTo } from '../test/people.js';

const dialect = inject('dialect');
const NEW_PASSWORD = 'Copper-Meadow-17';

describe('somebody who forgot the password', () => {
  it.each(
    handsInTurn(dialect, [
      ['the mouse', mouse],
      ['the keyboard', keyboard],
    ] as const),
  )('sets a new one once through the mailed link, and signs in with it, by %s', async (_name, hand) => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const { email } = await addMember(portal);
    const isLookedAt = hand === mouse;
    await useHand(page, hand, dialect);
    await page.goto(at('sign-in'));
    await hand.write(page.getByLabel('Email'), email);
    await hand.press(page.getByRole('link', { name: 'Forgot your password?' }));
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await hand.press(page.getByRole('button', { name: 'Send reset link' }));
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    const outbox = page.getByRole('link', { name: 'Read them' });
    expect(await outbox.getAttribute('href')).toBe('/dev/outbox');
    if (isLookedAt) expect(await flawsOfLook(page)).toEqual([]);

    const { link } = await mailTo(portal, email, 'passwordReset');
    await page.goto(link);
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    expect(page.url()).toBe(at('reset'));
    if (isLookedAt) expect(await flawsOfLook(page)).toEqual([]);
    await useHand(page, hand, dialect);
    const set = page.getByRole('button', { name: 'Set new password' });
    await hand.write(page.getByLabel('New password'), 'short');
    await hand.press(set);
    await page.getByText('Too short: at least 8 characters.').waitFor();
    await hand.write(page.getByLabel('New password'), NEW_PASSWORD);
    await hand.press(set);
    await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor();
    await hand.press(page.getByRole('link', { name: 'Sign in' }));
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();

    await page.goto(at(`reset#token=${new URL(link).searchParams.get('token') ?? ''}`));
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is sent back to the console they came from, and to no other address', async () => {
    await using portal = await openPortal(dialect, { ADMIN_URL: 'http://localhost:4001' });
    const { page, complaints, service, at } = portal;
    const link = page.getByRole('link', { name: 'Back to sign-in' });
    const backOf = async (back: string) => {
      const settings = page.waitForResponse(
        (response) => response.url().includes('portal.settings') && response.url().includes('back'),
      );
      await page.goto(at(`forgot?${new URLSearchParams({ back }).toString()}`));
      await settings;
      await page.waitForLoadState('networkidle');
      return link.getAttribute('href');
    };
    await page.goto(`${service.url}/forgot?back=x`);
    await page.waitForURL(at('forgot?back=x'));
    expect(await backOf('http://localhost:4001/console/sign-in')).toBe(
      'http://localhost:4001/console/sign-in',
    );
    expect(await flawsOfLook(page)).toEqual([]);
    for (const evil of [
      'https://evil.test/console/sign-in',
      'http://localhost:4001@evil.test/',
      'javascript:alert(1)',
    ])
      expect([evil, await backOf(evil)]).toEqual([evil, '/portal/sign-in']);
    expect(complaints).toEqual([]);
  });

  it('is sent to the console afterwards if they are staff', async () => {
    await using portal = await openPortal(dialect, { ADMIN_URL: 'http://localhost:4001' });
    const { page, complaints, service } = portal;
    const email = 'root@gatehouse.test';
    await service.send('/forgotPassword', { body: { email } });
    await page.goto((await mailTo(portal, email, 'passwordReset')).link);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set new password' }).click();
    const link = page.getByRole('link', { name: 'Sign in to the console' });
    expect(await link.getAttribute('href')).toBe('http://localhost:4001/console/');
    expect(await flawsOfLook(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
