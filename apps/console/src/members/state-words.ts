/** The states of members, in words. */
export const STATE_WORDS = {
  live: 'state.live',
  banned: 'state.banned',
  deleting: 'state.deleting',
  deleted: 'state.deleted',
} as const;
