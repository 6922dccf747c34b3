import { z } from 'zod';
import { signInNewcomer } from '../../authentication/finish-sign-in.js';
import { answeredSession, answeredSessionShape } from '../../authentication/sign-in-answer.js';
import { publicProcedure } from '../../core/guard/procedures.js';
import { joinByInvitation } from './join-by-invitation.js';
import { joiningPerson } from './joining-person.js';
import { LINK_REFUSALS } from './require-answerable.js';

/**
 * Joins an account by the link of an invitation, for somebody who is not a member yet, and signs them in. Somebody who deleted
 * themselves comes back with their password, and takes their second step if they have one.
 */
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
        'second_factor_required',
        'rate_limited',
      ],
    },
  })
  .input(joiningPerson)
  .output(z.object({ ...answeredSessionShape, userId: z.int(), accountId: z.int() }))
  .mutation(async ({ ctx, input: person }) => {
    const { memberId, accountId, passwordHash } = await joinByInvitation(ctx, person);
    const session = await signInNewcomer(ctx, { memberId, passwordHash });
    return { ...(await answeredSession(ctx, session)), userId: memberId, accountId };
  });
