import { AppError } from '@gatehouse/auth-core';
import type { CheckedProof } from '../../core/app/checked-proof.js';
import type { Context } from '../../core/app/context.js';
import { checkCode } from './check-code.js';
import type { SentCode } from './factor-proof.js';

/**
 * Counts and compares a code of a member, as a proof to be consumed in the transaction of what it allows.
 * @param boundKey the challenge or session that a mailed code must have been mailed for
 * @throws {AppError} `invalid_credentials`, `rate_limited`, `invalid_input`
 */
export async function checkCodeProof(
  ctx: Context,
  memberId: number,
  sent: SentCode,
  boundKey: string,
): Promise<CheckedProof> {
  const checked = await checkCode(ctx, memberId, sent, boundKey);
  if (checked === undefined) throw new AppError('invalid_credentials', { sent: 'code' });
  const { proof, attempt } = checked;
  return {
    methods: proof.method === undefined ? [] : [proof.method],
    async consume(tx, nowMs) {
      if (!(await proof.consume(tx, nowMs))) throw new AppError('invalid_credentials', { sent: 'code' });
    },
    succeed: () => attempt.succeed(),
    // Only a code that another call used first counts as wrong.
    async afterRefusal(error) {
      const wasUsed = error instanceof AppError && error.code === 'invalid_credentials';
      if (!wasUsed) await attempt.refund();
    },
  };
}
