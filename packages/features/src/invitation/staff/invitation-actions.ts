import type { AccountState, InvitationRow } from '@gatehouse/db';
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
  const { access, roles } = services;
  const profile = await access.profile(caller.member);
  // Whoever takes the inviter's place must be confirmed.
  const mayBecomeInviter = typeof profile?.emailConfirmedAtMs === 'number';
  return async (row) => {
    if (row.status !== 'open') return [];
    const offered = offeredRole(roles, account, row);
    if (offered === undefined) return ['revoke'];
    if (!mayOffer(roles, caller.member, account, offered)) return [];
    return mayBecomeInviter || (await isVouchedFor(roles, access, row)) ? ['resend', 'revoke'] : ['revoke'];
  };
}
