/** What an access decision looks at. */
export const ACCESS_FACTS = [
  'logPosition',
  'memberStatus',
  'confirmation',
  'recovery',
  'lock',
  'sessionEpoch',
  'session',
  'impersonation',
  'subscription',
  'accountState',
  'staff',
  'baseRole',
  'membership',
  'grant',
  'permission',
  'policy',
  'requiredLevel',
  'level',
] as const;

export type AccessFact = (typeof ACCESS_FACTS)[number];

/**
 * One step of a decision: a fact, how it was found, and what followed from it. `allows` and `denies` end the decision,
 * `passes` leads to the next fact, and `none` stands for what was looked at and decides nothing here.
 */
export interface AccessLink {
  /** A fact of the staff who act for the member begins with `actor.`. */
  readonly fact: AccessFact | `actor.${AccessFact}`;
  readonly value: string | number | boolean | null;
  readonly effect: 'none' | 'passes' | 'allows' | 'denies';
}
