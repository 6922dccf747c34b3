import { AppError } from '@gatehouse/auth-core';
import { findMemberFactors } from '@gatehouse/db';
import { z } from 'zod';
import { freshFactorProcedure } from '../../core/app/procedures.js';
import { createBackupCodes } from './backup-codes.js';
import { changeFactors } from './change-factors.js';
import { hasNoFactor } from './enrolment-proof.js';

/** Makes ten new backup codes, which are shown only this once. The old ones end. */
export const newBackupCodes = freshFactorProcedure
  .meta({ about: { summary: 'Make new backup codes', refuses: ['enrolment_required'] } })
  .input(z.object({}).optional())
  .output(z.object({ message: z.string(), data: z.object({ backupCodes: z.array(z.string()) }) }))
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const backupCodes = await changeFactors(ctx, async ({ tx }) => {
      const factors = await findMemberFactors(tx, memberId);
      const hasFactor = factors && (factors.secondFactor || !hasNoFactor(services, factors));
      if (!hasFactor) throw new AppError('enrolment_required');
      return {
        result: await createBackupCodes(tx, services, memberId),
        change: 'backupCodesMade',
        action: 'factor.backup-codes-made',
        before: { left: factors.backupCodesLeft },
        after: null,
      };
    });
    return { message: 'Keep these codes where nobody else finds them', data: { backupCodes } };
  });
