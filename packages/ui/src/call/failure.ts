/** One problem with what was typed. */
export interface FieldIssue {
  /** The name of the field. */
  readonly path: string;
  readonly message: string;
}

/** Why a call did not do what it should, in words to show. */
export interface Failure {
  readonly message: string;
  readonly issues: readonly FieldIssue[];
  /** Whether the same may be sent again as it is. */
  readonly mayRetry: boolean;
  /** How long the service asks to wait. */
  readonly waitSeconds?: number;
  /** Names the call in the log of the service. */
  readonly requestId?: string;
}
