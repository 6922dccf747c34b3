import { AppError } from '@gatehouse/auth-core';
import {
  findMemberAddress,
  findMemberByAddress,
  findReceivedInvitation,
  findReturningHolder,
} from '@gatehouse/db';
import { z } from 'zod';
import { findCaller } from '../../core/guard/caller.js';
import { publicProcedure } from '../../core/guard/procedures.js';
import { personName } from '../../core/member-view.js';
import { roleShown } from './invitation-view.js';
import { openLink } from './open-link.js';
import { LINK_REFUSALS, requireAnswerable } from './require-answerable.js';
import { isReplaced, stateForLink } from './state-now.js';

/** Shows the invitation of a link and changes nothing, because mail scanners follow links. */
export const preview = publicProcedure
  .meta({ about: { summary: 'See what an invitation is about', refuses: LINK_REFUSALS } })
  .input(z.object({ token: z.string() }))
  .output(
    z.object({
      email: z.string(),
      accountName: z.string(),
      inviterName: z.string(),
      roleType: z.int(),
      role: z.string(),
      expiresAt: z.iso.datetime(),
      /** Whether the address belongs to a member, who signs in and accepts. Everybody else joins. */
      isRegistered: z.boolean(),
      /** Whether the address belongs to somebody who deleted themselves. Joining with their password brings them back. */
      isReturning: z.boolean(),
      /** Whether the caller's session, if any, belongs to the member with the address. */
      signedInAs: z.enum(['match', 'mismatch']).nullable(),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { db, roles, access, now } = ctx.services;
    const link = await openLink(ctx.services, input.token);
    await access.current();
    const state = await stateForLink({ roles, access, nowMs: now() }, link.invitation);
    requireAnswerable(state, await isReplaced(db, link.invitation, link.tokenKey));
    const row = await findReceivedInvitation(db, link.invitation.id);
    if (!row) throw new AppError('invalid_token');
    const caller = await findCaller(ctx, access);
    const own = caller && (await findMemberAddress(db, caller.memberId));
    const { roleType, role } = roleShown(row, roles);
    const deleted = await findReturningHolder(db, { emailKey: row.emailKey, nowMs: now() });
    return {
      email: row.email,
      accountName: row.accountName,
      inviterName: personName({
        firstName: row.inviterFirstName,
        lastName: row.inviterLastName,
        username: row.inviterUsername,
      }),
      roleType,
      role,
      expiresAt: new Date(row.expiresAtMs).toISOString(),
      isRegistered: (await findMemberByAddress(db, row.emailKey)) !== undefined,
      isReturning: deleted !== undefined,
      signedInAs: own ? (own.emailKey === row.emailKey ? 'match' : 'mismatch') : null,
    };
  });
