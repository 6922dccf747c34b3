import type { ReachedAccount } from '../app/account-access.js';
import type { Caller } from '../app/caller.js';
import type { Guarded } from '../app/guarded.js';

/** A call by somebody who may manage the members of an account. */
export type InviterContext = Guarded<{ readonly caller: Caller; readonly account: ReachedAccount }>;
