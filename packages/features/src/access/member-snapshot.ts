import type { CustomRole } from '@gatehouse/auth-core';
import type { AccessSnapshotRow } from '@gatehouse/db';

/** What is known of one member now: enough to decide any request of theirs without the database. */
export interface MemberSnapshot extends Omit<AccessSnapshotRow, 'memberships' | 'grants'> {
  /** Account id → role in that account; live memberships only. */
  readonly memberships: ReadonlyMap<number, number>;
  /** Ids of the accounts granted to a member of staff; live grants only. */
  readonly grants: ReadonlySet<number>;
  /** Account id → the custom role in that account. */
  readonly customRoleIds: ReadonlyMap<number, number>;
  /** The same roles as the accounts define them now; undefined where one does not exist any more. */
  readonly customRoles: ReadonlyMap<number, CustomRole | undefined>;
}
