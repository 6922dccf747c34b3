import { flawsOfFirstVisits } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openPortal } from '../test/open-portal.js';
import { signInAs } from '../test/sign-in-as.js';

const SCREENS = ['', 'a/1/team', 'a/1/settings', 'a/1/developers/endpoints', 'you/security', 'you/sessions'];

it('the signed-in screens show their headings within 2.5 seconds on a slow line, load at most 12 scripts, and do not shift', {
  timeout: 300_000,
}, async () => {
  await using portal = await openPortal(inject('dialect'));
  const { page, at } = portal;
  await signInAs(portal, page, 'owner@acme.test');
  const screens = SCREENS.map((screen) => at(screen));
  expect(await flawsOfFirstVisits(page.context(), screens)).toEqual([]);
});
