import { describe, expect, it } from 'vitest';
import { readAuditFilters } from './audit-filters.js';
import { type Match, resolveName } from './find-named.js';

const resolve = (typed: string, ...found: Match[]) =>
  resolveName(typed, () => Promise.resolve(found), new AbortController().signal);

const named = (id: number, ...uniqueNames: string[]): Match => ({ id, uniqueNames });

describe('a name in the filter of the audit log', () => {
  it('stands for the only match, and is refused when there is no match or more than one', async () => {
    expect(await resolve('')).toEqual({ refusal: '' });
    expect(await resolve(' ada ', named(3, 'ada.l'))).toEqual({ id: 3, refusal: '' });
    expect(await resolve('ada')).toEqual({ refusal: 'audit.nobody' });
    expect(await resolve('ada', named(3, 'ada.l'), named(4, 'ada.m'))).toEqual({ refusal: 'audit.several' });
  });

  it('matches an exact username or address even when others contain it', async () => {
    const both = [named(3, 'ada.l', 'al@a.test'), named(4, 'Ada', 'am@a.test')];
    expect(await resolve('ada', ...both)).toEqual({ id: 4, refusal: '' });
    expect(await resolve('AL@a.test', ...both)).toEqual({ id: 3, refusal: '' });
    expect(await resolve('ada', named(3, 'ada'), named(4, 'Ada'))).toEqual({ refusal: 'audit.several' });
  });

  it('means a name when it has only digits, and an id when it begins with a number sign', async () => {
    expect(await resolve('42', named(7, '42'), named(42, 'ada'))).toEqual({ id: 7, refusal: '' });
    expect(await resolve('42', named(7, 'x42'), named(42, 'ada'))).toEqual({ refusal: 'audit.several' });
    expect(await resolve('#42', named(7, '42'))).toEqual({ id: 42, refusal: '' });
  });

  it('is refused when it is an id out of range', async () => {
    for (const typed of ['#0', '#00', '#9007199254740992', '#12345678901234567890', `#${'1'.repeat(80)}`]) {
      expect([typed, await resolve(typed)]).toEqual([typed, { refusal: 'audit.nobody' }]);
      expect(readAuditFilters({ actor: typed })).toEqual({});
    }
    for (const typed of ['#1', '#007', '#9007199254740991']) {
      const { id } = await resolve(typed);
      expect([typed, readAuditFilters({ actor: id })]).toEqual([typed, { actor: id }]);
    }
  });
});
