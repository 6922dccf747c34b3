import { type Roles, type StaffAuthority, staffAuthorityChange } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  endAllSessions,
  type StaffStanding,
  type StaffTransaction,
  setAuthToken,
} from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { writeMail } from '../../mail/queue-mail.js';

/** How what somebody may do as staff changes, and how it would without a ban. */
export function staffChange(roles: Roles, before: StaffStanding, after: StaffStanding) {
  const now = (standing: StaffStanding): StaffAuthority => ({ ...standing, isStaff: isInForce(standing) });
  const withoutBan = (standing: StaffStanding) => now({ ...standing, isBanned: false });
  return {
    inForce: staffAuthorityChange(roles, now(before), now(after)),
    apartFromBan: staffAuthorityChange(roles, withoutBan(before), withoutBan(after)),
  };
}

/** Whether somebody acts as staff: neither deleted nor banned nor switched off. */
export function isInForce({ isPersonnel, isDeleted, isBanned }: StaffStanding): boolean {
  return isPersonnel && !isDeleted && !isBanned;
}

/** Ends the sessions, sign-ins under way and auth_token that somebody had with other authority. */
export async function endFormerSessions(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  await endAllSessions(tx, memberId, { nowMs });
  await setAuthToken(tx, { memberId, token: null, nowMs });
}

/** Tells a member by mail what they are as staff from now on. No limit keeps this mail back. */
export async function tellStaffChange(
  tx: StaffTransaction,
  services: Pick<Services, 'cipher' | 'now'> & Partial<Pick<Services, 'config'>>,
  roles: Roles,
  { memberId, after, nowMs }: { memberId: number; after: StaffStanding; nowMs: number },
): Promise<void> {
  if (after.email === null) return;
  const role = isInForce(after) ? roles.labelOf(after.roleType) : null;
  const data = { role, atMs: nowMs };
  await writeMail(tx, services, { kind: 'staffAccessChanged', to: after.email, memberId, data });
}
