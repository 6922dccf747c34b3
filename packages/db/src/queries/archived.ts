/** The role of archived members, who have no permissions. Its number is fixed. */
export const ARCHIVED = 11;

/** Its label. */
export const ARCHIVED_LABEL = 'Archived';
