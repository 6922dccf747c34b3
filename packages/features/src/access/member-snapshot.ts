import type { AccessSnapshotRow } from '@gatehouse/db';

/** What is known of one member now: enough to decide any request of theirs without the database. */
export interface MemberSnapshot extends Omit<AccessSnapshotRow, 'memberships' | 'grants'> {
  /** Account id → role in that account; live memberships only. */
  readonly memberships: ReadonlyMap<number, number>;
  /** Ids of the accounts granted to a member of staff; live grants only. */
  readonly grants: ReadonlySet<number>;
}
