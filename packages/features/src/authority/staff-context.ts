import type { AccountScope } from '@gatehouse/features/app/account-scope';
import type { Caller } from '@gatehouse/features/app/caller';
import type { Guarded } from '@gatehouse/features/app/guarded';

/** A call of staff, with the accounts they act in. */
export type StaffContext = Guarded<{ readonly caller: Caller; readonly scope: AccountScope }>;
