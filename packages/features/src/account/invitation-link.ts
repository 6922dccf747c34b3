import { AppError, type ErrorCode } from '@gatehouse/auth-core';
import { findInvitation } from '@gatehouse/db/queries/invitations';
import { findReceivedInvitation, type InvitationRow } from '@gatehouse/db/queries/read-invitations';
import {
  findMemberAddress,
  findMemberByAddress,
  findReturningHolder,
} from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { findCaller } from '../core/guard/caller.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { personName } from '../core/member-view.js';
import { type InvitationState, isReplaced, stateForLink } from './invitation-state.js';
import { roleShown } from './invitation-view.js';

/** An invitation with the link that was followed. */
export interface FollowedLink {
  readonly invitation: InvitationRow;
  readonly tokenKey: string;
}

/**
 * The invitation of a link, in whatever state it is.
 * @throws {AppError} `invalid_token` if the link is not one of ours
 */
export async function openLink(
  { db, tokens }: Pick<Services, 'db' | 'tokens'>,
  token: string,
): Promise<FollowedLink> {
  const opened = tokens.openInvitation(token);
  const invitation = opened && (await findInvitation(db, opened.invitationId));
  if (!opened || !invitation) throw new AppError('invalid_token');
  return { invitation, tokenKey: opened.tokenKey };
}

const REFUSALS = {
  accepted: 'invitation_used',
  declined: 'invitation_used',
  revoked: 'invitation_revoked',
  expired: 'invitation_expired',
  void: 'invitation_void',
} as const satisfies Record<Exclude<InvitationState, 'pending'>, ErrorCode>;

/** The possible refusals of a link. */
export const LINK_REFUSALS = [
  'invalid_token',
  'invitation_expired',
  'invitation_revoked',
  'invitation_used',
  'invitation_replaced',
  'invitation_void',
] as const satisfies readonly ErrorCode[];

/**
 * Requires an invitation that can still be answered and, if a link was followed, that it is the newest one.
 * @throws {AppError} saying why it cannot
 */
export function requireAnswerable(state: InvitationState, isReplaced: boolean): void {
  if (isReplaced && (state === 'pending' || state === 'expired' || state === 'void')) {
    throw new AppError('invitation_replaced');
  }
  if (state !== 'pending') throw new AppError(REFUSALS[state]);
}

/** Shows the invitation of a link and changes nothing, because mail scanners follow links. */
export const previewInvitation = publicProcedure
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
