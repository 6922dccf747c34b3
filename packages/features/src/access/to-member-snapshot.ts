import type { AccessSnapshotRow } from '@gatehouse/db';
import type { MemberSnapshot } from './member-snapshot.js';

/** A member as the database told of them. */
export function toMemberSnapshot(row: AccessSnapshotRow): MemberSnapshot {
  return {
    ...row,
    memberships: new Map(row.memberships.map(({ accountId, roleType }) => [accountId, roleType])),
    grants: new Set(row.grants),
  };
}
