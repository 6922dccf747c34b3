import { findInvitation } from '@gatehouse/db';
import { z } from 'zod';
import { inPersonProcedure } from '../../core/guard/procedures.js';
import { acceptInvitation } from './accept-invitation.js';
import { whichInvitation } from './invitation-input.js';
import { openLink } from './open-link.js';
import { LINK_REFUSALS } from './require-answerable.js';

/** Adds the caller to the account they are invited to. Existing members keep their role. */
export const accept = inPersonProcedure
  .meta({
    about: {
      summary: 'Accept an invitation',
      refuses: ['not_found', 'unconfirmed', 'address_mismatch', ...LINK_REFUSALS],
    },
  })
  .input(whichInvitation)
  .output(
    z.object({
      message: z.string(),
      data: z.object({ accountId: z.int(), roleType: z.int(), alreadyMember: z.boolean() }),
    }),
  )
  .mutation(async ({ ctx, input: { token, invitationId = 0 } }) => {
    const { services, caller } = ctx;
    const which =
      token === undefined
        ? { invitation: await findInvitation(services.db, invitationId) }
        : await openLink(services, token);
    const data = await acceptInvitation(ctx, caller, which);
    return { message: 'You belong to the account', data };
  });
