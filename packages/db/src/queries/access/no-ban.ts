/** The column values that mean that a member is not banned. */
export const NO_BAN = {
  bannedRoleType: null,
  bannedUntilMs: null,
  bannedAtMs: null,
  bannedById: null,
  banReason: null,
};
