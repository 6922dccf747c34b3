/** The columns of a change of address where none is under way. */
export const NO_PENDING_ADDRESS = {
  pendingEmail: null,
  pendingEmailKey: null,
  pendingAwaits: null,
  pendingSinceMs: null,
};
