import type { Roles } from '@gatehouse/auth-core';
import { type Database, findMemberAddress, type InvitationRow, isProven } from '@gatehouse/db';
import type { AccessReader } from '../../core/access/access-reader.js';
import { isOwnerRole, mayOffer, type OfferedRole, offeredRole } from '../../core/authority/given-role.js';

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
