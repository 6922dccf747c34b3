import { AppError } from '@gatehouse/auth-core';
import { endImpersonation, findImpersonation } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../../audit/make-change.js';
import { staffProcedure } from '../../../core/guard/procedures.js';

/** Ends an impersonation that the caller began, or any as staff of base role 0. Ended ones stay as they are. */
export const end = staffProcedure()
  .meta({ about: { summary: 'End a session in which staff act for a member', refuses: ['not_found'] } })
  .input(z.object({ impersonationId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { impersonationId } }) => {
    const found = await findImpersonation(ctx.services.db, impersonationId);
    const members = found ? [...new Set([found.memberId, found.actorId])] : [];
    return makeChange(ctx, { members }, async (tx, nowMs, { caller }) => {
      const isRoot = caller.member.roleType === ctx.services.roles.id.admin;
      if (!found || !(isRoot || found.actorId === caller.memberId)) throw new AppError('not_found');
      const { actorId, memberId, accountId } = found;
      const by = { impersonationId, actorId, endedById: caller.memberId, nowMs };
      const hasEnded = await endImpersonation(tx, by);
      return {
        result: { message: 'The session has ended' },
        record: hasEnded
          ? {
              action: 'impersonation.ended',
              ...(accountId === null ? {} : { accountId }),
              onBehalfOfId: memberId,
              subjectKind: 'impersonation',
              subjectId: impersonationId,
              before: null,
              after: null,
            }
          : undefined,
      };
    });
  });
