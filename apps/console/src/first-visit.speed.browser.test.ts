import { flawsOfFirstVisits } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openConsole, signInAs } from './test/open-console.js';

const SCREENS = [
  '',
  'members',
  'members/4',
  'accounts/1',
  'accounts/1/members',
  'audit',
  'me',
  'webhooks',
  'affiliates',
];

it('the screens of the console show their headings within 2.5 seconds on a slow line, load at most 12 scripts, and do not shift', {
  timeout: 300_000,
}, async () => {
  await using console = await openConsole(inject('dialect'));
  const { page, at } = console;
  await signInAs(console, 'root@gatehouse.test', 'members');
  const screens = SCREENS.map((screen) => at(screen));
  expect(await flawsOfFirstVisits(page.context(), screens)).toEqual([]);
});
