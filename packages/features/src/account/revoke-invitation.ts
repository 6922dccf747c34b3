import { AppError } from '@gatehouse/auth-core';
import { endInvitation, lockInvitation } from '@gatehouse/db/queries/invitations';
import type { ProcedureAbout } from '@gatehouse/http/trpc/procedure-rule';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { offeredRole } from '../core/authority/given-role.js';
import { accountProcedure } from '../core/guard/procedure.js';
import {
  findOwnAccount,
  type InviterContext,
  invitationId,
  invitationRecord,
  requireOfferable,
} from './inviter-rules.js';

const input = z.object({ invitationId });

/** Revokes an unanswered invitation; its link says so afterwards. Repeating it changes nothing. */
export const invitationRevocation = {
  about: {
    summary: 'Take an invitation back',
    refuses: ['not_found', 'invitation_used'],
  } satisfies ProcedureAbout,
  input,
  output: z.object({ message: z.string() }),
  async run(ctx: InviterContext, { invitationId: id }: z.output<typeof input>) {
    return changeAndRecord(
      ctx,
      { lock: { accounts: [ctx.account.id] } },
      async ({ tx, nowMs, ...authorized }) => {
        const invitation = await lockInvitation(tx, id);
        if (invitation?.accountId !== ctx.account.id) throw new AppError('not_found');
        const account = await findOwnAccount(authorized, tx);
        const offered = offeredRole(authorized.services.roles, account, invitation);
        if (offered) requireOfferable(authorized, account, offered);
        const result = { message: 'The invitation was revoked' };
        if (invitation.status === 'revoked') return { result, record: undefined };
        const end = {
          invitationId: id,
          status: 'revoked',
          endedById: authorized.caller.memberId,
          nowMs,
        } as const;
        if (!(await endInvitation(tx, end))) throw new AppError('invitation_used');
        const after = { ...invitation, status: end.status };
        return { result, record: invitationRecord('invitation.revoked', invitation, after) };
      },
    );
  },
};

/** Revokes an unanswered invitation; its link says so afterwards. Repeating it changes nothing. */
export const revokeInvitation = accountProcedure('member.manage', { inPerson: true, programs: true })
  .meta({ about: invitationRevocation.about })
  .input(invitationRevocation.input)
  .output(invitationRevocation.output)
  .mutation(({ ctx, input }) => invitationRevocation.run(ctx, input));
