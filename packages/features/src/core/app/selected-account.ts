import type { AccountState } from '@gatehouse/db';
import { accountIdFrom } from '@gatehouse/http/server/account-header';
import type { Context } from './context.js';

/** The account in a call's header, admitted by its guard; undefined without one. */
export async function selectedAccount({ call, services }: Context): Promise<AccountState | undefined> {
  const accountId = accountIdFrom(call.header('accountid'));
  return accountId === null ? undefined : services.access.account(accountId);
}
