import { describe, expect, it } from 'vitest';
import { createRoles } from './roles.js';
import { staffAuthorityChange } from './staff-authority.js';

const roles = createRoles();
const staff = (roleType: number, ...grants: number[]) => ({
  isStaff: true,
  roleType,
  grants: new Set(grants),
});
const nobody = { ...staff(0, 1), isStaff: false };

describe('authority as staff', () => {
  it.each([
    ['rise', nobody, staff(5)],
    ['fall', staff(5), nobody],
    ['none', nobody, { ...staff(6, 2), isStaff: false }],
    ['rise', staff(6), staff(0)],
    ['rise', staff(1), staff(0)],
    ['fall', staff(0), staff(1)],
    ['fall', staff(0, 1), staff(6, 1, 2)],
    ['rise', staff(1, 1), staff(6, 1)],
    ['rise', staff(6, 1), staff(1, 1)],
    ['none', staff(3, 1), staff(4, 1)],
    ['rise', staff(6, 1), staff(6, 1, 2)],
    ['rise', staff(6, 1), staff(6, 2)],
    ['fall', staff(6, 1, 2), staff(6, 2)],
    ['rise', staff(6, 1), staff(3, 1, 2)],
    ['fall', staff(6, 1), staff(3, 1)],
    ['none', staff(0, 1), staff(0, 2)],
    ['none', staff(6, 1), staff(6, 1)],
  ] as const)('%s: from %j to %j', (change, before, after) => {
    expect(staffAuthorityChange(roles, before, after)).toBe(change);
  });
});
