import { AppError } from '@gatehouse/auth-core';
import { findMemberFactors, findOpenRecovery } from '@gatehouse/db';
import { z } from 'zod';
import { levelAskedOfMember } from '../../core/app/level.js';
import { countOwnPasskeys } from '../../core/app/own-passkeys.js';
import { factorProcedure } from '../../core/app/procedures.js';
import { asksProof } from './enrolment-proof.js';

const output = z.object({
  data: z.object({
    secondFactor: z.boolean(),
    /** Whether a mailed code may be the second step. */
    email: z.boolean(),
    totp: z.object({ confirmedAt: z.iso.datetime() }).nullable(),
    /** How many passkeys there are. */
    passkeys: z.int(),
    backupCodesLeft: z.int(),
    /** Who asks for a level of the caller; null if nobody does. */
    requiredBy: z.object({ level: z.int(), by: z.enum(['staff', 'account']) }).nullable(),
    /** Whether the first factor takes a proof: the code of `verification.sendEmail`, or a ticket. */
    needsProof: z.boolean(),
    recovery: z.object({ id: z.int(), effectiveAt: z.iso.datetime() }).nullable(),
  }),
});

/** The caller's second factors. */
export const list = factorProcedure
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
        requiredBy: (await levelAskedOfMember(services, services.access, ctx.caller.member)) ?? null,
        needsProof: asksProof(services, factors, ctx.caller.session),
        recovery: recovery
          ? { id: recovery.id, effectiveAt: new Date(recovery.effectiveAtMs).toISOString() }
          : null,
      },
    };
  });
