/** Callers by their kind of permission, which decides how they can lose access. */
export type CallerKind =
  | 'member'
  | 'staff'
  | 'root'
  /** Staff of base role 0 who select the account. */
  | 'rootInAccount'
  | 'manager'
  | 'accountManager'
  | 'owner'
  | 'partner';
