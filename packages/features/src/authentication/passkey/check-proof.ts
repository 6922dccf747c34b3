import type { CheckedProof } from '../../core/app/checked-proof.js';
import type { Context } from '../../core/app/context.js';
import type { FlowScope } from '../../core/app/flow.js';
import { checkCodeProof } from '../second-factor/check-code-proof.js';
import type { SentCode } from '../second-factor/factor-proof.js';
import { checkAssertion } from './check-assertion.js';
import type { AuthenticationResponse } from './response-schemas.js';

/** A code, or a passkey with its flow. */
export interface SentProof extends SentCode {
  readonly flow?: string | undefined;
  readonly response?: AuthenticationResponse | undefined;
}

/** Who proves it, and what the proof was asked for. */
export interface ProofScope {
  readonly memberId: number;
  /** The challenge or session that a mailed code must have been mailed for. */
  readonly boundKey: string;
  /** What the flow of a passkey belongs to. */
  readonly flow: FlowScope;
}

/**
 * Checks a second factor: a passkey, or a code, which is counted first.
 * @throws {AppError} `invalid_credentials`, `invalid_challenge` or `passkey_unknown` for passkeys, `rate_limited`
 */
export async function checkProof(ctx: Context, of: ProofScope, sent: SentProof): Promise<CheckedProof> {
  const { flow, response } = sent;
  if (flow !== undefined && response !== undefined) {
    const { consume, afterRefusal } = await checkAssertion(ctx, { flow, response }, of.flow, of);
    return { methods: ['passkey'], consume, succeed: async () => undefined, afterRefusal };
  }
  return checkCodeProof(ctx, of.memberId, sent, of.boundKey);
}
