import { AppError } from '@gatehouse/auth-core';
import { endAllSessions, findMemberFactors } from '@gatehouse/db';
import { z } from 'zod';
import { freshFactorProcedure } from '../../core/app/procedures.js';
import { mayStepByMail } from '../login/step-methods.js';
import { keptSession } from '../session/end-sessions.js';
import { createFirstBackupCodes } from './backup-codes.js';
import { changeFactors } from './change-factors.js';
import { enrolmentProof } from './code-schemas.js';
import { applyEnrolmentProof, checkEnrolmentProof } from './enrolment-proof.js';
import { factorsIn } from './require-removable.js';

/**
 * Switches the second step of one's sign-ins on or off, and whether a mailed code may be it. Switching it on ends
 * the other sessions.
 */
export const switchFactor = freshFactorProcedure
  .meta({
    about: {
      summary: 'Switch sign-in in two steps on or off',
      refuses: ['enrolment_required', 'last_factor', 'proof_required', 'rate_limited'],
    },
  })
  .input(
    z.object({
      secondFactor: z.boolean(),
      email: z.boolean().optional(),
      proof: enrolmentProof.optional(),
    }),
  )
  .output(
    z.object({
      message: z.string(),
      data: z.object({ backupCodes: z.array(z.string()).optional() }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const { secondFactor } = input;
    const proof = secondFactor ? await checkEnrolmentProof(ctx, input.proof) : undefined;
    const backupCodes = await changeFactors(ctx, async ({ tx, nowMs, decided }) => {
      const before = await findMemberFactors(tx, memberId);
      if (!before) throw new AppError('unauthorized');
      const emailStep = input.email ?? before.emailStep;
      if (input.email === true && !mayStepByMail(before)) throw new AppError('enrolment_required');
      const { hasStep } = factorsIn(services, { ...before, emailStep });
      if (secondFactor && !hasStep)
        throw new AppError(before.secondFactor ? 'last_factor' : 'enrolment_required');
      if (secondFactor && !before.secondFactor)
        await applyEnrolmentProof(tx, decided, { before, proof, nowMs });
      const codes = secondFactor ? await createFirstBackupCodes(tx, services, memberId) : undefined;
      if (secondFactor && !before.secondFactor)
        await endAllSessions(tx, memberId, { nowMs, keep: keptSession(decided) });
      return {
        result: codes,
        change: secondFactor ? 'switchedOn' : 'switchedOff',
        action: 'factor.switched',
        before: { secondFactor: before.secondFactor, email: before.emailStep },
        after: { secondFactor, email: emailStep },
        secondFactor,
        emailStep,
      };
    });
    return {
      message: secondFactor ? 'Every sign-in takes a second step now' : 'Sign-ins take one step now',
      data: backupCodes === undefined ? {} : { backupCodes },
    };
  });
