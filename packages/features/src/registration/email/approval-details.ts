import { z } from 'zod';
import { publicProcedure } from '../../core/guard/procedures.js';
import { maskAddress } from '../../core/member-view.js';
import { holdsSessionOf } from '../holds-session-of.js';
import { findApproval } from './find-approval.js';

/** Shows the change of address that a link to the present mailbox is about, and changes nothing. */
export const approvalDetails = publicProcedure
  .meta({
    about: {
      summary: 'Tell what change of address the link to the present mailbox is about',
      refuses: ['invalid_token'],
    },
  })
  .input(z.strictObject({ token: z.string() }))
  .output(
    z.object({
      /** The addresses, the new one masked; null once the link was answered. */
      change: z
        .object({
          email: z.string(),
          pendingEmail: z.string(),
          /** When it counts that somebody agreed without a password or a session; null if nobody has. */
          effectiveAt: z.iso.datetime().nullable(),
        })
        .nullable(),
      /** Whether the call has a session of the member, which shows what the password would. */
      isSignedIn: z.boolean(),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { access } = ctx.services;
    const { change, memberId } = await findApproval(ctx.services, input.token);
    await access.current();
    const isSignedIn = await holdsSessionOf(ctx, access, memberId);
    if (change === undefined) return { change: null, isSignedIn };
    const { email, pendingEmail, effectiveAtMs } = change;
    const effectiveAt = effectiveAtMs === null ? null : new Date(effectiveAtMs).toISOString();
    return { change: { email, pendingEmail: maskAddress(pendingEmail), effectiveAt }, isSignedIn };
  });
