import { AppError } from '@gatehouse/auth-core';
import { lockMember } from '@gatehouse/db/queries/lock-rows';
import { findInvitedPersonnel } from '@gatehouse/db/queries/personnel';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { requireNotBanned } from '../../core/authority/base-role.js';
import { FRESH } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { mailLimitError } from '../../mail/limit-mails.js';
import { endSignIns } from '../../member/change-staff.js';
import { mailStaffInvitation } from '../../registration/mail-staff-invitation.js';

/** Mails a member of staff who has not joined yet the invitation again. The first link that is used voids the others. */
export const reinviteColleague = staffProcedure('personnel.manage', { fresh: FRESH })
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
    await changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs, caller }) => {
      const member = await lockMember(tx, { memberId, nowMs });
      if (!member?.isPersonnel) throw new AppError('not_found');
      requireNotBanned(member, nowMs);
      const invited = await findInvitedPersonnel(tx, memberId);
      if (!invited) throw new AppError('invitation_used');
      // Somebody may know the password, because an import may have set one.
      if (invited.hasPassword) {
        await endSignIns(ctx, tx, { memberId, actorId: caller.memberId, nowMs });
      }
      const person = invited.hasPassword ? await findInvitedPersonnel(tx, memberId) : invited;
      const email = person?.email ?? null;
      if (person === undefined || email === null) throw new AppError('no_address');
      if (!(await mailStaffInvitation(tx, services, { ...person, email }))) {
        const limited = { kind: 'staffInvitation', to: email, name: 'staff-invitation-mail' } as const;
        throw await mailLimitError(services, limited);
      }
      return {
        result: undefined,
        record: {
          action: 'personnel.reinvited',
          onBehalfOfId: memberId,
          subjectKind: 'member',
          subjectId: memberId,
          before: null,
          after: { email },
        },
      };
    });
    services.wakeups.wake('mail');
    return { message: 'The invitation has been sent again' };
  });
