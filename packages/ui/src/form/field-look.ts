/** The style of a field that is typed in. */
export const FIELD_LOOK =
  'w-full rounded-small border border-edge bg-card px-3 py-2 text-lead text-ink aria-invalid:border-brick aria-invalid:outline aria-invalid:outline-1 aria-invalid:outline-brick focus-visible:outline-2 focus-visible:outline-harbour focus-visible:outline-offset-1';
