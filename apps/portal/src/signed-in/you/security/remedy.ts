/** What mends the worst that a verdict says. */
export type Remedy = 'codes' | 'passkey' | 'password' | 'recovery' | 'twoSteps';

/** A question that a sheet asks. The button that opens it is beside the verdict where it mends that, else in the sheet. */
export interface Asking {
  readonly isAsking: boolean;
  readonly isBesideVerdict: boolean;
  ask(isAsking: boolean): void;
}
