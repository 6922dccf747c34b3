import type { ReachedAccount } from '../../core/guard/account-access.js';
import type { Caller } from '../../core/guard/caller.js';
import type { Guarded } from '../../core/guard/guarded.js';

/** A call by somebody who may manage the members of an account. */
export type InviterContext = Guarded<{ readonly caller: Caller; readonly account: ReachedAccount }>;
