import type { Roles } from '@gatehouse/auth-core';
import type { InvitationRow } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import { mayOffer } from './may-offer.js';
import { offeredRole } from './offered-role.js';

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
