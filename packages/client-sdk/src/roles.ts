/**
 * The number of each role, as `role` and `role_type` have it. A deployment may have configured `designer`, `userMember` and
 * `accountManager` otherwise.
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
