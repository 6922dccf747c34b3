export const TRAILS = ['security', 'about', 'by'] as const;
export type Trail = (typeof TRAILS)[number];

/** What is shown of a member's trail; the security events where an address names nothing. */
export function readTrailFilter({ of }: Record<string, unknown>): { readonly of?: Trail } {
  const known = TRAILS.find((each) => each === of);
  return known === undefined || known === 'security' ? {} : { of: known };
}
