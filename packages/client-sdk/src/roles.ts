/**
 * The number of each role, as in `role` and `role_type`. A deployment may configure other numbers for
 * `designer`, `userMember` and `accountManager`.
 */
export const ROLES = {
  admin: 0,
  owner: 1,
  manager: 2,
  contributor: 3,
  designer: 4,
  userMember: 5,
  accountManager: 6,
  archived: 11,
} as const;
