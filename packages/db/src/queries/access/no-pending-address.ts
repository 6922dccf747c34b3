/** The column values that mean no change of address is pending. */
export const NO_PENDING_ADDRESS = {
  pendingEmail: null,
  pendingEmailKey: null,
  pendingAwaits: null,
  pendingSinceMs: null,
  pendingEffectiveAtMs: null,
};
