/** Callers by their kind of permission, which decides how they can lose access. */
export type CallerKind = 'member' | 'staff' | 'root' | 'manager' | 'accountManager' | 'owner' | 'partner';
