/** By what a call is allowed, which says how its access can be lost. */
export type CallerKind = 'member' | 'staff' | 'root' | 'manager' | 'accountManager' | 'owner' | 'partner';
