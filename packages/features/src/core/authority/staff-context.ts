import type { AccountScope } from '../app/account-scope.js';
import type { Caller } from '../app/caller.js';
import type { Guarded } from '../app/guarded.js';

/** A call of staff, with the caller's accounts. */
export type StaffContext = Guarded<{ readonly caller: Caller; readonly scope: AccountScope }>;
