import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { clearMemberLimits } from '../../core/rate-limit/login-limits.js';
import { clearStepLimits } from '../../core/rate-limit/step-limits.js';

/** Lifts the lock after too many failed sign-ins. The member is not changed otherwise. */
export const unlock = staffScopedProcedure('member.manage')
  .meta({ about: { summary: 'Let a member try to sign in again', refuses: ['not_found'] } })
  .input(z.object({ memberId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId } }) =>
    makeChange(ctx, { concerns: [memberId] }, async (tx, nowMs, decided) => {
      await lockSubject(decided, tx, { memberId, nowMs }, MEMBER_NEEDS.unlock);
      const logins = await clearMemberLimits(ctx.services, tx, memberId);
      const counters = logins + (await clearStepLimits(ctx.services, tx, memberId));
      return {
        result: { message: 'The member may try again' },
        record: {
          action: 'member.unlocked',
          onBehalfOfId: memberId,
          subjectKind: 'member',
          subjectId: memberId,
          before: { counters },
          after: { counters: 0 },
        },
      };
    }),
  );
