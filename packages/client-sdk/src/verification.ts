import type { TrpcRefusal } from '@gatehouse/api-main/router';

/** A way to show who somebody is. */
export type VerificationMethod = NonNullable<TrpcRefusal['data']['verification']>['methods'][number];

/** A way to take the second step of a sign-in. */
export type StepMethod = NonNullable<TrpcRefusal['data']['methods']>[number];

/** What shows who somebody is: a password, or what takes a second step. */
export type Proof = { password: string } | StepProof;

/**
 * What takes a second step: a code of an app, of the list of backup codes or of a mail, what `getPasskey` of `/passkeys`
 * returns, or the ticket of a recovery, which opens the adding of a new factor.
 */
export type StepProof =
  | { code: string }
  | { backupCode: string }
  | { emailCode: string }
  | { flow: string; response: object }
  | { ticket: string };

/** What a call asks before it does something hard to undo. */
export interface VerificationNeed {
  /** 2 where only a second factor counts. */
  readonly level: number;
  readonly maxAgeSeconds: number;
  /** The ways to prove; none where only a new sign-in counts. */
  readonly methods: readonly VerificationMethod[];
}
