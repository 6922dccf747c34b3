import { catalogue } from '@gatehouse/ui/messages/translate';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { saidValue } from './said-value.js';

// Without messages, each shows its name.
beforeAll(() => catalogue.loadAndActivate({ locale: 'en', messages: {} }));
beforeEach(() => vi.stubGlobal('navigator', { languages: ['en-US'] }));
afterEach(() => vi.unstubAllGlobals());

const say = (name: string, value: unknown) =>
  saidValue(name, value, (roleType) => (roleType === 4 ? 'Designer' : ''));

it.each([
  ['name', undefined, undefined],
  ['name', 'Acme Studio', 'Acme Studio'],
  ['name', 'x'.repeat(300), `${'x'.repeat(200)} …`],
  ['customRoleId', null, 'audit.empty'],
  ['customRoleId', 7, '#7'],
  ['active', true, 'audit.yes'],
  ['active', false, 'audit.no'],
  ['roleType', 4, 'Designer'],
  ['roleType', 11, 'team.noAccess'],
  ['requiredLevel', 2, '2'],
  ['commissionBasisPoints', 725, '7.25%'],
  ['permissions', ['account.read', 'wiki.write'], 'scope.accountRead, wiki.write'],
  ['accountIds', [2, 5], '#2, #5'],
  ['accountIds', [], 'audit.nothing'],
])('shows for the field %s of a line what it was or became: %j', (name, value, words) => {
  expect(say(name, value)).toBe(words);
});

it.each([
  ['erasesAtMs', Date.UTC(2031, 10, 3, 12)],
  ['expiresAt', '2031-11-03T12:00:00.000Z'],
])('shows %s as a time', (name, value) => {
  expect(say(name, value)).toMatch(/2031/);
  expect(say(name, value)).not.toBe(String(value));
});

it('shows a number that is not a time unchanged', () => {
  expect(say('untilMs', Number.MAX_SAFE_INTEGER)).toBe(String(Number.MAX_SAFE_INTEGER));
  expect(say('graceMs', 60_000)).toBe('60000');
});
