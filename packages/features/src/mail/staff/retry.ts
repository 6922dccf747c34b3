import { AppError } from '@gatehouse/auth-core';
import { findListedMail, setMailDue } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { staffScopedProcedure } from '../../core/guard/procedures.js';

/**
 * Makes a mail that was given up due again. Nothing changes of one that waits already; one that has left, or whose text is gone,
 * is sent again by what caused it.
 */
export const retry = staffScopedProcedure('member.manage')
  .meta({ about: { summary: 'Try again to deliver a mail', refuses: ['not_found', 'not_retryable'] } })
  .input(z.object({ mailId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { mailId } }) => {
    const { services } = ctx;
    // Whom a mail is to never changes.
    const found = await findListedMail(services.db, mailId);
    const memberId = found?.memberId ?? undefined;
    await makeChange(
      ctx,
      { concerns: memberId === undefined ? [] : [memberId] },
      async (tx, nowMs, decided) => {
        if (!decided.scope.all) {
          if (memberId === undefined) throw new AppError('not_found');
          await lockSubject(decided, tx, { memberId, nowMs }, MEMBER_NEEDS.retryMail);
        }
        const mail = await findListedMail(tx, mailId);
        if (!mail) throw new AppError('not_found');
        if (mail.state === 'pending') return { result: undefined, record: undefined };
        if (!(await setMailDue(tx, mailId, nowMs))) throw new AppError('not_retryable');
        const { kind, attempts } = mail;
        return {
          result: undefined,
          record: {
            action: 'mail.retried',
            ...(memberId === undefined ? {} : { onBehalfOfId: memberId }),
            subjectKind: 'mail',
            subjectId: mailId,
            before: { kind, state: 'failed', attempts },
            after: { kind, state: 'queued', attempts: 0 },
          },
        };
      },
    );
    services.wakeups.wake('mail');
    return { message: 'It will be sent in a moment.' };
  });
