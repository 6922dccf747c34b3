export const DELETED = ['deleting', 'deleted', 'accounts'] as const;
export type Deleted = (typeof DELETED)[number];

/** Which deleted things an address names; those who deleted themselves where it names none. */
export function readDeletedFilter({ of }: Record<string, unknown>): { readonly of?: Deleted } {
  const known = DELETED.find((each) => each === of);
  return known === undefined || known === 'deleting' ? {} : { of: known };
}
