import { type AccountState, type InvitationRow, isProven } from '@gatehouse/db';
import { isOwnerRole, mayOffer, offeredRole } from '../../../core/authority/given-role.js';
import type { InviterContext } from '../inviter-context.js';
import { staysInviter } from '../is-vouched-for.js';

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
  const isConfirmed = typeof profile?.emailConfirmedAtMs === 'number';
  const isOwnProven = profile !== undefined && isProven(profile);
  return async (row) => {
    if (row.status !== 'open') return [];
    const offered = offeredRole(roles, account, row);
    if (offered === undefined) return ['revoke'];
    if (!mayOffer(roles, caller.member, account, offered)) return [];
    const mayBecomeInviter = isOwnerRole(roles, offered.roleType) ? isOwnProven : isConfirmed;
    const mayResend = mayBecomeInviter || (await staysInviter(services, row, offered));
    return mayResend ? ['resend', 'revoke'] : ['revoke'];
  };
}
