import { AppError } from '@gatehouse/auth-core';
import { type AccountState, type Database, findAccountState } from '@gatehouse/db';
import type { InviterContext } from './inviter-context.js';

/** The account of the call, as locked in the transaction. */
export async function findOwnAccount({ account }: InviterContext, tx: Database): Promise<AccountState> {
  const state = await findAccountState(tx, account.id);
  if (!state) throw new AppError('account_forbidden');
  return state;
}
