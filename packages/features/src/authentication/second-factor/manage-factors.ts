import { AppError } from '@gatehouse/auth-core';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { findOpenRecovery } from '@gatehouse/db/queries/recoveries';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { z } from 'zod';
import { FRESH } from '../../core/guard/freshness.js';
import { countOwnPasskeys, requiredLevelOfMember } from '../../core/guard/level.js';
import { procedure } from '../../core/guard/procedure.js';
import { keptSession } from '../session/end-sessions.js';
import { changeFactors } from './change-factors.js';
import { applyEnrolmentProof, asksProof, checkEnrolmentProof, hasNoFactor } from './enrolment-proof.js';
import { createBackupCodes, createFirstBackupCodes, enrolmentProof } from './factor-codes.js';
import { factorsIn, mayStepByMail } from './step-methods.js';

const output = z.object({
  data: z.object({
    secondFactor: z.boolean(),
    /** Whether a mailed code may be the second step. */
    email: z.boolean(),
    totp: z.object({ confirmedAt: z.iso.datetime() }).nullable(),
    /** How many passkeys there are. */
    passkeys: z.int(),
    backupCodesLeft: z.int(),
    /** Who requires a level of the caller; null for none. */
    requiredBy: z.object({ level: z.int(), by: z.enum(['staff', 'account']) }).nullable(),
    /** Whether the first factor takes a proof: the code of `verification.sendEmail`, or a ticket. */
    needsProof: z.boolean(),
    recovery: z.object({ id: z.int(), effectiveAt: z.iso.datetime() }).nullable(),
  }),
});

/** The caller's second factors. */
export const listOwnFactors = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  opensInRecovery: true,
})
  .meta({ about: { summary: "See one's second factors" } })
  .output(output)
  .query(async ({ ctx }) => {
    const { services } = ctx;
    const factors = await findMemberFactors(services.db, ctx.caller.memberId);
    if (!factors) throw new AppError('unauthorized');
    const recovery = await findOpenRecovery(services.db, ctx.caller.memberId);
    const { totpConfirmedAtMs } = factors;
    return {
      data: {
        secondFactor: factors.secondFactor,
        email: factors.emailStep,
        totp: totpConfirmedAtMs === null ? null : { confirmedAt: new Date(totpConfirmedAtMs).toISOString() },
        passkeys: countOwnPasskeys(ctx.services, factors),
        backupCodesLeft: factors.backupCodesLeft,
        requiredBy: (await requiredLevelOfMember(services, services.access, ctx.caller.member)) ?? null,
        needsProof: asksProof(services, factors, ctx.caller.session),
        recovery: recovery
          ? { id: recovery.id, effectiveAt: new Date(recovery.effectiveAtMs).toISOString() }
          : null,
      },
    };
  });

/**
 * Switches the second step of the member's sign-ins on or off, and whether a mailed code may be it. Switching it on ends the
 * other sessions.
 */
export const switchFactor = procedure({ who: 'member', inPerson: true, opensBelowLevel: true, fresh: FRESH })
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
    const backupCodes = await changeFactors(ctx, async ({ tx, nowMs, authorized }) => {
      const before = await findMemberFactors(tx, memberId);
      if (!before) throw new AppError('unauthorized');
      const emailStep = input.email ?? before.emailStep;
      if (input.email === true && !mayStepByMail(before)) throw new AppError('enrolment_required');
      const { hasStep } = factorsIn(services, { ...before, emailStep });
      if (secondFactor && !hasStep)
        throw new AppError(before.secondFactor ? 'last_factor' : 'enrolment_required');
      if (secondFactor && !before.secondFactor)
        await applyEnrolmentProof(tx, authorized, { before, proof, nowMs });
      const codes = secondFactor ? await createFirstBackupCodes(tx, services, memberId) : undefined;
      if (secondFactor && !before.secondFactor)
        await endAllSessions(tx, memberId, {
          nowMs,
          reason: 'factor_changed',
          endedById: memberId,
          keep: keptSession(authorized),
        });
      return {
        result: codes,
        change: secondFactor ? 'switchedOn' : 'switchedOff',
        ...switchedBy(before.secondFactor, secondFactor),
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

/** The switch may be unchanged, so that only the mailed code has changed. */
function switchedBy(before: boolean, after: boolean) {
  if (before === after) return { action: 'factor.switched' } as const;
  return after ? ({ action: 'factor.switched-on' } as const) : ({ action: 'factor.switched-off' } as const);
}

/** Makes ten new backup codes, which are shown only now. The old ones are no longer valid. */
export const newBackupCodes = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  fresh: FRESH,
})
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
    return { message: 'Save these codes in a safe place', data: { backupCodes } };
  });
