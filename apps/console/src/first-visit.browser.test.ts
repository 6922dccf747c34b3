import { flawsOfFirstVisits } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openConsole, signInAs } from './test/open-console.js';

const SCREENS = ['', 'members', 'members/4', 'accounts/1', 'audit'];

it('screens load at most 12 scripts on a first visit, and do not shift on a slow line', {
  timeout: 300_000,
}, async () => {
  await using console = await openConsole(inject('dialect'));
  const { page, at } = console;
  await signInAs(console, 'root@gatehouse.test', 'members');
  const screens = SCREENS.map((screen) => at(screen));
  expect(await flawsOfFirstVisits(page.context(), screens)).toEqual([]);
});
