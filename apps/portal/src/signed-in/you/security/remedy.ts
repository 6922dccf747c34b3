/** The action that fixes the most serious problem. */
export type Remedy = 'codes' | 'passkey' | 'password' | 'recovery' | 'twoSteps';

/** A question that a card asks. Its button is in the page header where it fixes the problem named there, else in the card. */
export interface Asking {
  readonly isAsking: boolean;
  readonly isInHeader: boolean;
  ask(isAsking: boolean): void;
}
