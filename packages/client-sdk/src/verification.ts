import type { TrpcRefusal } from '@gatehouse/api-main/router';

/** A way to prove one's identity. */
export type VerificationMethod = NonNullable<TrpcRefusal['data']['verification']>['methods'][number];

/** A way to take the second step of a sign-in. */
export type StepMethod = NonNullable<TrpcRefusal['data']['methods']>[number];

/** A proof of identity: a password, or a second factor. */
export type Proof = { password: string } | StepProof;

/**
 * A second factor: a code of an app, a backup code, a mailed code, what `getPasskey` of `/passkeys` returns, or the ticket of a
 * recovery, which only allows adding a factor.
 */
export type StepProof =
  | { code: string }
  | { backupCode: string }
  | { emailCode: string }
  | { flow: string; response: object }
  | { ticket: string };

/** The verification that a call requires before it does something hard to undo. */
export interface VerificationNeed {
  /** 2 if only a second factor is accepted. */
  readonly level: number;
  readonly maxAgeSeconds: number;
  /** The ways to prove; none if only a new sign-in is accepted. */
  readonly methods: readonly VerificationMethod[];
}
