import type { AccountScope, Caller, Context } from '@gatehouse/api-kit';

/** A call of staff, with the accounts they act in. */
export type StaffContext = Context & { readonly caller: Caller; readonly scope: AccountScope };
