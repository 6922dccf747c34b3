import { AppError, personNameSchema, usernameSchema } from '@gatehouse/auth-core';
import { findMember, lockMember } from '@gatehouse/db';
import { z } from 'zod';
import { memberView, toMemberView } from '../../app/member-view.js';
import { staffProcedure } from '../../app/procedures.js';
import { changedFields } from '../../audit/changed-fields.js';
import { makeChange } from '../../audit/make-change.js';
import { writeProfile } from '../../member/staff/write-profile.js';

/** Changes what the caller is called; what is left out stays as it is. */
export const update = staffProcedure()
  .input(
    z.object({
      firstName: personNameSchema.optional(),
      lastName: personNameSchema.optional(),
      username: usernameSchema.optional(),
    }),
  )
  .output(z.object({ data: memberView }))
  .mutation(async ({ ctx, input }) => {
    const { memberId } = ctx.caller;
    return makeChange(ctx, { members: [memberId] }, async (tx, nowMs) => {
      const before = await lockMember(tx, { memberId, nowMs });
      if (!before) throw new AppError('unauthorized');
      await writeProfile(tx, { memberId, nowMs, ...input });
      const after = await findMember(tx, memberId);
      if (!after) throw new AppError('unauthorized');
      const changed = changedFields({ ...before }, input);
      return {
        result: { data: toMemberView(after) },
        record: changed && {
          action: 'profile.updated',
          subjectKind: 'member',
          subjectId: memberId,
          ...changed,
        },
      };
    });
  });
