/** What shows who somebody is: a password or a second factor. */
export type Proof = { password: string } | FactorProof;

/** What takes a second step: a second factor, or the ticket of a recovery, which opens the adding of a new one. */
export type StepProof = FactorProof | { ticket: string };

/** A code of an app, of the list of backup codes or of a mail, or what `getPasskey` of `/passkeys` returns. */
export type FactorProof =
  | { code: string }
  | { backupCode: string }
  | { emailCode: string }
  | { flow: string; response: object };

/** What a call asks before it does something hard to undo. */
export interface VerificationNeed {
  /** 2 where only a second factor counts. */
  readonly level: number;
  readonly maxAgeSeconds: number;
  /** The ways to prove: `password`, `totp`, `backupCode`, `email`, `passkey`. */
  readonly methods: readonly string[];
}
