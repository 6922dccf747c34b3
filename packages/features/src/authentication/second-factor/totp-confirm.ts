import { AppError, matchTotpStep, readDigits } from '@gatehouse/auth-core';
import { confirmTotp, endAllSessions, findMemberFactors, findTotpFactor } from '@gatehouse/db';
import { z } from 'zod';
import { factorProcedure } from '../../core/app/procedures.js';
import { countFactorAttempt } from '../../core/app/step-limits.js';
import { keptSession } from '../session/end-sessions.js';
import { createFirstBackupCodes } from './backup-codes.js';
import { changeFactors } from './change-factors.js';
import { recordWrongCode } from './check-code.js';
import { enrolmentProof, totpCodeSchema } from './code-schemas.js';
import { applyEnrolmentProof, checkEnrolmentProof } from './enrolment-proof.js';
import { openTotpSecret } from './totp-secret.js';
import { verifySession } from './verify-session.js';

const LIFE_MS = 10 * 60_000;

/**
 * Adds the authenticator app by its first code, which counts as used. Every sign-in takes a second step from now
 * on. The other sessions end, and this one is verified.
 */
export const confirm = factorProcedure
  .meta({
    about: {
      summary: 'Add the authenticator app by its first code',
      refuses: ['not_found', 'invalid_credentials', 'proof_required', 'rate_limited'],
      credentials: ['code'],
    },
  })
  .input(z.object({ code: totpCodeSchema, proof: enrolmentProof.optional() }))
  .output(
    z.object({
      message: z.string(),
      data: z.object({ backupCodes: z.array(z.string()).optional() }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const nowMs = services.now();
    const factor = await findTotpFactor(services.db, memberId);
    const secret = factor?.pendingSecret ?? null;
    if (secret === null || nowMs >= (factor?.pendingSinceMs ?? 0) + LIFE_MS) throw new AppError('not_found');
    const proof = await checkEnrolmentProof(ctx, input.proof);
    const attempt = await countFactorAttempt(ctx, memberId, 'totp');
    const digits = readDigits(input.code, 6) ?? '';
    const step = matchTotpStep(openTotpSecret(services, memberId, secret), digits, nowMs);
    if (step === undefined) {
      await recordWrongCode(ctx, memberId, attempt);
      throw new AppError('invalid_credentials', { sent: 'code' });
    }
    const backupCodes = await changeFactors(ctx, async ({ tx, nowMs: atMs, decided }) => {
      const before = await findMemberFactors(tx, memberId);
      if (!before) throw new AppError('unauthorized');
      await applyEnrolmentProof(tx, decided, { before, proof, nowMs: atMs });
      if (!(await confirmTotp(tx, { memberId, secret, step, nowMs: atMs }))) throw new AppError('not_found');
      const codes = await createFirstBackupCodes(tx, services, memberId);
      await endAllSessions(tx, memberId, { nowMs: atMs, keep: keptSession(decided) });
      await verifySession(tx, decided, { methods: ['totp'], nowMs: atMs });
      return {
        result: codes,
        change: 'totpAdded',
        action: 'factor.totp-added',
        before: { secondFactor: before.secondFactor },
        after: { secondFactor: true },
        secondFactor: true,
      };
    }).catch(async (error: unknown) => {
      await attempt.refund();
      throw error;
    });
    await attempt.succeed();
    return {
      message: 'The authenticator app is added; your other sessions have ended',
      data: backupCodes === undefined ? {} : { backupCodes },
    };
  });
