import { billingEnvironment } from '@gatehouse/simulator';
import { flawsOfLook, screenShown } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openPortal } from '../test/open-portal.js';
import { signInAs } from '../test/sign-in-as.js';

const dialect = inject('dialect');
/** Its plans are shown without a call to the provider. */
const PROVIDER = 'http://127.0.0.1:9';

const SCREENS = [
  '',
  'a/1/team',
  'a/1/billing',
  'a/1/developers',
  'a/1/developers/applications',
  'a/1/developers/applications/none',
  'a/1/developers/endpoints',
  'a/1/developers/endpoints/999',
  'a/1/settings',
  'a/1/settings/directory',
  'a/1/settings/directory/new',
  'a/1/settings/directory/999',
  'a/999/team',
  'you',
  'you/security',
  'you/sessions',
  'you/connections',
  'you/partners',
  'you/data',
  'none',
];

describe('the screens for people who are signed in', () => {
  it('fit any screen, light and dark, in both directions, with no finding of axe and no console message', {
    timeout: 300_000,
  }, async () => {
    await using portal = await openPortal(dialect, billingEnvironment(PROVIDER));
    const { page, complaints, at } = portal;
    await signInAs(portal, page, 'owner@acme.test');
    for (const screen of SCREENS) {
      await page.goto(at(screen));
      await screenShown(page);
      expect([screen, ...(await flawsOfLook(page))]).toEqual([screen]);
      expect([screen, ...complaints]).toEqual([screen]);
    }
  });
});
