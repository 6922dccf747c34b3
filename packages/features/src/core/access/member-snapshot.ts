import type { CustomRole } from '@gatehouse/auth-core';
import type { AccessSnapshotRow } from '@gatehouse/db';

/** A member's current state: enough to decide any of their requests without the database. */
export interface MemberSnapshot extends Omit<AccessSnapshotRow, 'memberships' | 'grants'> {
  /** Account id → role in that account; live memberships only. */
  readonly memberships: ReadonlyMap<number, number>;
  /** Ids of the accounts granted to a staff member; live grants only. */
  readonly grants: ReadonlySet<number>;
  /** Account id → the custom role in that account. */
  readonly customRoleIds: ReadonlyMap<number, number>;
  /** The same roles with the accounts' current definitions; undefined for a role that no longer exists. */
  readonly customRoles: ReadonlyMap<number, CustomRole | undefined>;
  /** Who acts for the member in an impersonation, and limits what they may do. */
  readonly actor: MemberSnapshot | undefined;
}
