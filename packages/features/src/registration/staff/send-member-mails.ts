import { AppError, TOKEN_LIVES_SECONDS } from '@gatehouse/auth-core';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { requireNotBanned } from '../../core/authority/base-role.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { procedure } from '../../core/guard/procedure.js';
import { resetLink } from '../../mail/app-link.js';
import { mailLimitError } from '../../mail/limit-mails.js';
import { queueMail } from '../../mail/queue-mail.js';
import { confirmationAnswer, mailConfirmation } from '../mail-confirmation.js';

/** Mails a member the link to set a new password. Staff never see it. */
export const sendReset = procedure({ who: 'staff', permission: 'member.manage', inAccounts: true })
  .meta({
    about: {
      summary: 'Mail a member the link to set a new password',
      refuses: ['not_found', 'no_address', 'rate_limited'],
    },
  })
  .input(z.object({ memberId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId } }) => {
    const { services } = ctx;
    const { to, isQueued } = await changeAndRecord(
      ctx,
      { lock: { members: [memberId] } },
      async ({ tx, nowMs, ...authorized }) => {
        const { member } = await lockSubject(authorized, tx, { memberId, nowMs }, MEMBER_NEEDS.sendReset);
        requireNotBanned(member, nowMs);
        const address = await findMemberAddress(tx, memberId);
        if (!address || address.email === null) throw new AppError('no_address');
        const { email } = address;
        const seconds = TOKEN_LIVES_SECONDS.passwordReset;
        const data = { link: resetLink(services, { ...address, email }, seconds), minutes: seconds / 60 };
        const mail = { kind: 'passwordReset', to: email, memberId, share: 'staff', data } as const;
        const queued = await queueMail(tx, services, mail);
        return {
          result: { to: email, isQueued: queued },
          record: queued
            ? {
                action: 'member.reset-sent',
                onBehalfOfId: memberId,
                subjectKind: 'member',
                subjectId: memberId,
                before: null,
                after: { email },
              }
            : undefined,
        };
      },
    );
    if (!isQueued) {
      throw await mailLimitError(services, {
        kind: 'passwordReset',
        to,
        share: 'staff',
        name: 'password-reset-mail',
      });
    }
    services.wakeups.wake('mail');
    return { message: 'The email has been sent' };
  });

/** Mails a member the link that proves the address they have yet to prove. */
export const sendConfirmation = procedure({ who: 'staff', permission: 'member.manage', inAccounts: true })
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
    const mail = await changeAndRecord(
      ctx,
      { lock: { members: [memberId] } },
      async ({ tx, nowMs, ...authorized }) => {
        const { member } = await lockSubject(
          authorized,
          tx,
          { memberId, nowMs },
          MEMBER_NEEDS.sendConfirmation,
        );
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
      },
    );
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
