/** The role of members whom nothing opens to; its number is no setting. */
export const ARCHIVED = 11;
