import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { requireNotBanned } from '../../core/authority/base-role.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { mailLimitError } from '../../mail/mail-limit-error.js';
import { confirmationAnswer, mailConfirmation } from '../mail-confirmation.js';

/** Mails a member the link that proves the address they have yet to prove. */
export const sendConfirmation = staffScopedProcedure('member.manage')
  .meta({
    about: {
      summary: 'Mail a member the link to confirm their address',
      refuses: ['not_found', 'no_address', 'rate_limited'],
    },
  })
  .input(z.object({ memberId: z.int().positive() }))
  .output(z.object({ message: z.string(), alreadyConfirmed: z.boolean() }))
  .mutation(async ({ ctx, input: { memberId } }) => {
    const { services } = ctx;
    const mail = await makeChange(ctx, { concerns: [memberId] }, async (tx, nowMs, decided) => {
      const { member } = await lockSubject(decided, tx, { memberId, nowMs }, MEMBER_NEEDS.sendConfirmation);
      requireNotBanned(member, nowMs);
      const result = await mailConfirmation(tx, services, { memberId, share: 'staff' });
      const { email, isQueued } = result;
      return {
        result,
        record: isQueued
          ? {
              action: 'member.confirmation-sent',
              onBehalfOfId: memberId,
              subjectKind: 'member',
              subjectId: memberId,
              before: null,
              after: { email },
            }
          : undefined,
      };
    });
    const { email: to, isQueued } = mail;
    if (to !== null && !isQueued)
      throw await mailLimitError(services, {
        kind: 'activation',
        to,
        share: 'staff',
        name: 'activation-mail',
      });
    return confirmationAnswer(services, mail);
  });
