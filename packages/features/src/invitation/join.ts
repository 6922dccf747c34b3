import { AppError } from '@gatehouse/auth-core';
import { findCredentialById } from '@gatehouse/db';
import { z } from 'zod';
import { publicProcedure } from '../app/procedures.js';
import { answeredSession, answeredSessionShape } from '../login/answered-session.js';
import { finishSignIn } from '../login/finish-sign-in.js';
import { joinByInvitation } from './join-by-invitation.js';
import { joiningPerson } from './joining-person.js';
import { LINK_REFUSALS } from './require-answerable.js';

/** Joins an account by the link of an invitation, for somebody who is not a member yet, and signs them in. */
export const join = publicProcedure
  .meta({
    about: {
      summary: 'Join by an invitation, as somebody new',
      refuses: [
        ...LINK_REFUSALS,
        'sign_in_required',
        'username_taken',
        'email_taken',
        'invalid_credentials',
        'rate_limited',
      ],
    },
  })
  .input(joiningPerson)
  .output(z.object({ ...answeredSessionShape, userId: z.int(), accountId: z.int() }))
  .mutation(async ({ ctx, input: person }) => {
    const { memberId, accountId } = await joinByInvitation(ctx, person);
    const member = await findCredentialById(ctx.services.db, memberId);
    if (!member) throw new AppError('internal', { detail: 'a member just made is not there' });
    const session = await finishSignIn(ctx, member, { kind: 'session', methods: ['pwd'] });
    return { ...(await answeredSession(ctx, session)), userId: memberId, accountId };
  });
