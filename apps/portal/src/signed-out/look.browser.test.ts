import { flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openPortal } from '../test/open-portal.js';

const dialect = inject('dialect');

const SCREENS = [
  'sign-in',
  'register',
  'forgot',
  'code',
  'confirm#sent=a@b.test',
  'step-up',
  'reset',
  'recovery#token=1',
  'help',
  'impersonate',
  'recovery',
  'email-approval',
  'restore#until=2030-01-01T00:00:00Z',
];

describe('the screens for people who are not signed in', () => {
  it('fit any screen, light and dark, in both directions, with no finding of axe and no console message', {
    timeout: 300_000,
  }, async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    for (const screen of SCREENS) {
      await page.goto(at(screen));
      await page.locator('h1').waitFor();
      expect([screen, ...(await flawsOfLook(page))]).toEqual([screen]);
      expect([screen, ...complaints]).toEqual([screen]);
    }
  });
});
