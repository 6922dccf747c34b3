import type { Roles } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { hasLaterInvitation } from '@gatehouse/db/queries/invitations';
import { isProven } from '@gatehouse/db/queries/member-columns';
import type { InvitationRow } from '@gatehouse/db/queries/read-invitations';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import type { AccessReader } from '../core/access/access-reader.js';
import { isOwnerRole, mayOffer, type OfferedRole, offeredRole } from '../core/authority/given-role.js';

/** The state of an invitation when it is read. */
export const invitationState = z.enum(['pending', 'accepted', 'declined', 'revoked', 'expired', 'void']);

export type InvitationState = z.output<typeof invitationState>;

/** @param isVouchedFor whether the inviter may still give the offered role */
function stateOf(
  { status, expiresAtMs }: Pick<InvitationRow, 'status' | 'expiresAtMs'>,
  { nowMs, isVouchedFor }: { nowMs: number; isVouchedFor: boolean },
): InvitationState {
  if (status !== 'open') return status;
  if (expiresAtMs <= nowMs) return 'expired';
  return isVouchedFor ? 'pending' : 'void';
}

/** Whether the inviter may still give the offered role. */
export async function isVouchedFor(
  roles: Roles,
  access: AccessReader,
  invitation: Pick<InvitationRow, 'accountId' | 'inviterId' | 'roleType' | 'customRoleId'>,
): Promise<boolean> {
  const account = await access.account(invitation.accountId);
  const inviter = await access.member(invitation.inviterId);
  if (account === undefined || inviter === undefined) return false;
  const offered = offeredRole(roles, account, invitation);
  return offered !== undefined && mayOffer(roles, inviter, account, offered);
}

/** Whether the inviter would still be the inviter if the invitation were mailed again. */
export async function staysInviter(
  { db, roles, access }: { readonly db: Database; readonly roles: Roles; readonly access: AccessReader },
  invitation: InvitationRow,
  { roleType }: OfferedRole,
): Promise<boolean> {
  if (!(await isVouchedFor(roles, access, invitation))) return false;
  if (!isOwnerRole(roles, roleType)) return true;
  const inviter = await findMemberAddress(db, invitation.inviterId);
  return inviter !== undefined && isProven(inviter);
}

/**
 * The data that decides the state of an invitation: from the directory, or in a transaction from locked rows.
 */
export interface AuthorizeInvitation {
  readonly db: Database;
  readonly roles: Roles;
  readonly access: AccessReader;
  readonly nowMs: number;
}

/** The current state of an invitation. */
export async function stateNow(
  { roles, access, nowMs }: Omit<AuthorizeInvitation, 'db'>,
  invitation: InvitationRow,
): Promise<InvitationState> {
  const state = stateOf(invitation, { nowMs, isVouchedFor: true });
  if (state !== 'pending') return state;
  return stateOf(invitation, { nowMs, isVouchedFor: await isVouchedFor(roles, access, invitation) });
}

/** The current state to the reader of an invitation's link, who can still accept what was declined. */
export function stateForLink(
  authorize: Omit<AuthorizeInvitation, 'db'>,
  invitation: InvitationRow,
): Promise<InvitationState> {
  return stateNow(
    authorize,
    invitation.status === 'declined' ? { ...invitation, status: 'open' } : invitation,
  );
}

/** Whether a later link took the place of this one: of the same invitation or, once that was declined, of another. */
export async function isReplaced(
  db: Database,
  invitation: InvitationRow,
  tokenKey: string,
): Promise<boolean> {
  if (tokenKey !== invitation.tokenKey) return true;
  return invitation.status === 'declined' && (await hasLaterInvitation(db, invitation));
}
