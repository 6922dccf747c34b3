import type { ReachedAccount } from '../../core/app/account-access.js';
import type { Caller } from '../../core/app/caller.js';
import type { Guarded } from '../../core/app/guarded.js';

/** A call by somebody who may manage the members of an account. */
export type InviterContext = Guarded<{ readonly caller: Caller; readonly account: ReachedAccount }>;
