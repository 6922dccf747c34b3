import { AppError } from '@gatehouse/auth-core';
import { consumeToken, type Database } from '@gatehouse/db';
import type { ApplicationType } from '../../core/app/application.js';
import type { AuthenticationMethod } from '../../core/app/authentication.js';

export type SessionKind = 'session' | 'bearer';

/** What was proved, and the session it is for. */
export interface SignInProof {
  readonly kind: SessionKind;
  /** Everything proved so far; the first is the first factor. */
  readonly methods: readonly AuthenticationMethod[];
  /** Whether the second step is done. */
  readonly hasStepped?: boolean;
  /** The application signed in to. Absent for a member who has just registered. */
  readonly application?: ApplicationType;
  readonly partnerId?: number;
  readonly consume?: { readonly tokenKey: string; readonly expiresAtMs: number };
  /** Consumes the credential of the login. On false the login is refused without an effect. */
  readonly claim?: (tx: Database) => Promise<boolean>;
  /** The recovery whose ticket was the second step: the session then only adds one. */
  readonly recoveryId?: number;
  /** Whether the login proves the address. Earlier credentials then end, unless the owner was proven. */
  readonly provesAddress?: boolean;
}

/**
 * Consumes what a sign-in is made with; false when it no longer is good for one.
 * @throws {AppError} `invalid_token` if the one-use token was consumed
 */
export async function consumeProof(tx: Database, { consume, claim }: SignInProof): Promise<boolean> {
  if (consume && !(await consumeToken(tx, consume))) throw new AppError('invalid_token');
  return claim === undefined || claim(tx);
}
