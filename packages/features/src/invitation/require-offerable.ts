import { AppError } from '@gatehouse/auth-core';
import { type AccountState, type Database, findAccountState } from '@gatehouse/db';
import type { InviterContext } from './inviter-context.js';
import { mayOffer } from './may-offer.js';
import { type OfferedRole, offeredRole } from './offered-role.js';

/**
 * Requires that the caller may give what an invitation offers, which is also what it takes to change one.
 * @throws {AppError} `not_found` for a role that there is not, `permission_denied`
 */
export async function requireOfferable(
  { services: { roles }, caller, account: { id: accountId } }: InviterContext,
  tx: Database,
  offer: { roleType: number; customRoleId: number | null },
): Promise<{ account: AccountState; offered: OfferedRole }> {
  const account = await findAccountState(tx, accountId);
  const offered = account && offeredRole(roles, account, offer);
  if (account === undefined || offered === undefined) throw new AppError('not_found');
  if (!mayOffer(roles, caller.member, account, offered)) throw new AppError('permission_denied');
  return { account, offered };
}
