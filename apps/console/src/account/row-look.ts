/** How the rows of people and of invitations stand below each other. */
export const PERSON_ROW =
  'grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2.5 last:border-0 rows:grid-cols-[1rem_minmax(0,1fr)_10rem_17rem] wide:grid-cols-[1rem_minmax(0,1fr)_10rem_19rem]';
export const PERSON_ACTIONS =
  'col-start-2 flex flex-wrap gap-x-3 rows:col-start-4 rows:justify-end rows:pt-0.5 rows:gap-x-4';
