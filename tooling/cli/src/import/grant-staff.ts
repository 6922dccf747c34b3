import type { Roles } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  changeStaffStanding,
  type ImportOutcome,
  importGrants,
  type StaffTransaction,
} from '@gatehouse/db';
import type { AuditContext } from '@gatehouse/features/audit/record-audit';
import { endFormerSessions, staffChange, tellStaffChange } from '@gatehouse/features/member/change-staff';

/**
 * Imports grants. Staff who were there before and get one are signed out everywhere and told by mail, as after every change
 * of what they may do.
 */
export async function grantStaff(
  tx: AccessTransaction,
  { audit, roles, nowMs }: { audit: AuditContext; roles: Roles; nowMs: number },
  rows: Parameters<typeof importGrants>[1],
): Promise<ImportOutcome[]> {
  const personnelIds = [...new Set(rows.map(({ personnelId }) => personnelId))].sort((a, b) => a - b);
  const [first, ...others] = personnelIds;
  if (first === undefined) return [];
  const within = (memberId: number, next: (inner: StaffTransaction) => Promise<ImportOutcome[]>) => {
    return (outer: AccessTransaction) =>
      changeStaffStanding(outer, { memberId, nowMs }, next, async (staffTx, before, after) => {
        if (staffChange(roles, before, after).apartFromBan === 'none') return;
        await endFormerSessions(staffTx, { memberId, nowMs });
        if (after.isProven) await tellStaffChange(staffTx, audit.services, roles, { memberId, after, nowMs });
      });
  };
  const write = (inner: StaffTransaction) => importGrants(inner, rows);
  return within(
    first,
    others.reduce((next, memberId) => within(memberId, next), write),
  )(tx);
}
