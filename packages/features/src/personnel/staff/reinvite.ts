import { AppError } from '@gatehouse/auth-core';
import { findInvitedPersonnel, lockMember } from '@gatehouse/db';
import { z } from 'zod';
import { staffProcedure } from '../../app/procedures.js';
import { makeChange } from '../../audit/make-change.js';
import { requireNotBanned } from '../../authority/require-not-banned.js';
import { mailLimitError } from '../../mail/mail-limit-error.js';
import { mailStaffInvitation } from '../../password/mail-staff-invitation.js';

/** Mails a member of staff who has not joined yet the invitation again. The first link that is used ends the others. */
export const reinvite = staffProcedure('personnel.manage', { twoStepFresh: true })
  .meta({
    about: {
      summary: 'Invite a member of staff again',
      refuses: ['not_found', 'no_address', 'invitation_used', 'rate_limited'],
    },
  })
  .input(z.object({ personnelId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { personnelId: memberId } }) => {
    const { services } = ctx;
    const { to, isQueued } = await makeChange(ctx, { concerns: [memberId] }, async (tx, nowMs) => {
      const member = await lockMember(tx, { memberId, nowMs });
      if (!member?.isPersonnel) throw new AppError('not_found');
      requireNotBanned(member, nowMs);
      const person = await findInvitedPersonnel(tx, memberId);
      if (!person) throw new AppError('invitation_used');
      const { email } = person;
      if (email === null) throw new AppError('no_address');
      const queued = await mailStaffInvitation(tx, services, { ...person, email });
      return {
        result: { to: email, isQueued: queued },
        record: queued
          ? {
              action: 'personnel.reinvited',
              onBehalfOfId: memberId,
              subjectKind: 'member',
              subjectId: memberId,
              before: null,
              after: { email },
            }
          : undefined,
      };
    });
    if (!isQueued) {
      throw await mailLimitError(services, { kind: 'staffInvitation', to, name: 'staff-invitation-mail' });
    }
    services.wakeups.wake('mail');
    return { message: 'The invitation is on its way again' };
  });
