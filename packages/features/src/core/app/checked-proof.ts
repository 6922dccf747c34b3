import type { Database } from '@gatehouse/db';
import type { AuthenticationMethod } from './authentication.js';

/** A right proof, which counts once it is consumed. */
export interface CheckedProof {
  readonly methods: readonly AuthenticationMethod[];
  /**
   * Uses it up, in the transaction of what it allows.
   * @throws {AppError} `invalid_credentials`, or `invalid_challenge` for a used flow
   */
  consume(tx: Database, nowMs: number): Promise<void>;
  /** Call it after the commit. */
  succeed(): Promise<void>;
  /** Call it with what the transaction threw. */
  afterRefusal(error: unknown): Promise<void>;
}
