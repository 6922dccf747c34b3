import type { AccessTransaction, StaffTransaction } from '@gatehouse/db';

/** Changes staff as a program with access to the database could: without what `changeStaff` does besides. */
export function unsettled(tx: AccessTransaction): StaffTransaction {
  return { ...tx, settlesStaff: true };
}
