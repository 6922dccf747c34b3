import type { AccountScope, Caller, Guarded } from '@gatehouse/api-kit';

/** A call of staff, with the accounts they act in. */
export type StaffContext = Guarded<{ readonly caller: Caller; readonly scope: AccountScope }>;
