import { type AccountState, findMemberAddress, type InvitationRow, isProven } from '@gatehouse/db';
import { isOwnerRole } from '../../authority/given-role.js';
import type { InviterContext } from '../inviter-context.js';
import { isVouchedFor } from '../is-vouched-for.js';
import { mayOffer } from '../may-offer.js';
import { offeredRole } from '../offered-role.js';

/** What inviters do about an invitation. */
export const INVITATION_ACTIONS = ['resend', 'revoke'] as const;

type InvitationAction = (typeof INVITATION_ACTIONS)[number];

/**
 * Tells of each unanswered invitation of an account what the service would not refuse the caller about it now. A limit may be
 * reached, and a proof of identity asked for.
 */
export async function invitationActionsIn(
  { services, caller }: InviterContext,
  account: AccountState,
): Promise<(row: InvitationRow) => Promise<InvitationAction[]>> {
  const { access, db, roles } = services;
  const profile = await access.profile(caller.member);
  const isConfirmed = typeof profile?.emailConfirmedAtMs === 'number';
  const isOwnProven = profile !== undefined && isProven(profile);
  return async (row) => {
    if (row.status !== 'open') return [];
    const offered = offeredRole(roles, account, row);
    if (offered === undefined) return ['revoke'];
    if (!mayOffer(roles, caller.member, account, offered)) return [];
    const isOfOwner = isOwnerRole(roles, offered.roleType);
    if (!(await isVouchedFor(roles, access, row))) {
      const mayBecomeInviter = isOfOwner ? isOwnProven : isConfirmed;
      return mayBecomeInviter ? ['resend', 'revoke'] : ['revoke'];
    }
    if (!isOfOwner) return ['resend', 'revoke'];
    const inviter = await findMemberAddress(db, row.inviterId);
    return inviter !== undefined && isProven(inviter) ? ['resend', 'revoke'] : ['revoke'];
  };
}
