import { describe, expect, it } from 'vitest';
import { createRoles, mayChange, mayGive, outranks } from './roles.js';

const roles = createRoles();

/** The contract's ranks: 0 = 1 > 6 > 2 > 3 = 4 > 5, and archived below all. */
const ORDER = [[0, 1], [6], [2], [3, 4], [5], [11]];
const ALL = ORDER.flat();
const place = (roleType: number) => ORDER.findIndex((equals) => equals.includes(roleType));

describe('ranks', () => {
  it('match the contract for every pair of roles', () => {
    for (const one of ALL) {
      for (const other of ALL) {
        expect([one, other, outranks(roles, one, other)]).toEqual([one, other, place(one) < place(other)]);
      }
    }
  });

  it('let nobody assign a role above their own', () => {
    for (const actor of ALL) {
      for (const given of ALL) {
        const expected = actor !== 11 && place(actor) <= place(given);
        expect([actor, given, mayGive(roles, actor, given)]).toEqual([actor, given, expected]);
      }
    }
  });

  it('let nobody change someone who outranks them', () => {
    for (const actor of ALL) {
      for (const subject of ALL) {
        const expected = actor !== 11 && place(actor) <= place(subject);
        expect([actor, subject, mayChange(roles, actor, subject)]).toEqual([actor, subject, expected]);
      }
    }
  });

  it.each([-1, 7, 99, 0.5, Number.NaN])(
    'give the unknown number %s no permission, and nobody may assign it',
    (unknown) => {
      expect(mayGive(roles, 0, unknown)).toBe(false);
      expect(mayGive(roles, unknown, 5)).toBe(false);
      expect(mayChange(roles, unknown, 5)).toBe(false);
      expect(outranks(roles, unknown, 11)).toBe(false);
    },
  );
});

describe('configured roles', () => {
  it('use their configured numbers, and the default numbers then mean nothing', () => {
    const moved = createRoles({ designer: 14, userMember: 15, accountManager: 16 });
    expect(moved.nameOf(14)).toBe('designer');
    expect(moved.labelOf(16)).toBe('Account Manager');
    expect(moved.nameOf(4)).toBeUndefined();
    expect(moved.labelOf(4)).toBe('Unknown');
    expect(outranks(moved, 16, 2)).toBe(true);
    expect(mayGive(moved, 0, 6)).toBe(false);
  });

  it.each([
    { designer: 4, userMember: 4, accountManager: 6 },
    { designer: 0, userMember: 5, accountManager: 6 },
    { designer: 4, userMember: 1, accountManager: 6 },
    { designer: 4, userMember: 5, accountManager: 2 },
    { designer: 3, userMember: 5, accountManager: 6 },
    { designer: 11, userMember: 5, accountManager: 6 },
    { designer: -4, userMember: 5, accountManager: 6 },
    { designer: 4.5, userMember: 5, accountManager: 6 },
    { designer: Number.NaN, userMember: 5, accountManager: 6 },
  ])('refuse %j', (configured) => {
    expect(() => createRoles(configured)).toThrow(RangeError);
  });
});
