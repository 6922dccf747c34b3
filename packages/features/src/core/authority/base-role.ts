import { AppError, mayGive, outranks, type Roles, randomId } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findBan, setBan, setBannedRole, setMemberRole } from '@gatehouse/db/queries/change-member';
import { setAuthToken } from '@gatehouse/db/queries/change-session';
import type { StaffTransaction } from '@gatehouse/db/queries/change-staff-status';
import type { LockedMember } from '@gatehouse/db/queries/lock-rows';
import { ENDLESS_MS, isArchived, isBanned } from '@gatehouse/db/queries/member-columns';
import { lockAdministrators } from '@gatehouse/db/queries/personnel';
import { suspendPlacesInClosedAccounts } from '@gatehouse/db/queries/returning-places';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { z } from 'zod';

/**
 * The base role that a member has without a ban. Imported bans, and those by hand, have not recorded it: then it is
 * that of a user.
 */
export function roleWithoutBan(roles: Roles, { roleType }: { readonly roleType: number }): number {
  return roleType === roles.id.archived ? roles.id.userMember : roleType;
}

/** The base role of a member for staff: `role_type` is 11 while they are banned. */
export const baseRoleView = z.int();

/**
 * Refuses a change that would leave no staff of base role 0. Call it before the change, in its transaction:
 * it locks out other such changes until the transaction ends.
 * @throws {AppError} `last_administrator`
 */
export async function requireOtherAdministrator(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const administrators = await lockAdministrators(tx, { turn: randomId(), nowMs });
  const others = administrators.filter((id) => id !== memberId);
  if (others.length === 0 && administrators.length > 0) throw new AppError('last_administrator');
}

/** A ban in the audit log. */
interface BanState {
  /** The stored role: 11 during a ban. */
  readonly roleType: number;
  readonly banned: boolean;
  readonly until: string | null;
  readonly reason: string | null;
}

/** A member with this base role who is not banned. */
export function notBanned(roleType: number): BanState {
  return { roleType, banned: false, until: null, reason: null };
}

/**
 * Bans a locked member and ends their sessions and auth_token, or changes the end and reason of a ban. The member keeps role and
 * label. Accounts that are closed now come back without them.
 * @param ban `untilMs` is null for a ban without an end; an undefined reason is unchanged
 * @returns the values before and after
 * @throws {AppError} `last_administrator`
 */
export async function banMember(
  tx: StaffTransaction,
  roles: Roles,
  member: LockedMember,
  ban: { untilMs: number | null; reason?: string | undefined; bannedById: number; nowMs: number },
): Promise<{ before: BanState; after: BanState }> {
  const { bannedById, untilMs, nowMs } = ban;
  const memberId = member.id;
  const roleType = roleWithoutBan(roles, member);
  const present = await findBan(tx, { memberId, nowMs });
  const reason = ban.reason ?? present?.reason ?? null;
  const before = present ? banState(roles, present) : notBanned(roleType);
  const after = banState(roles, { untilMs, reason });
  if (present && present.untilMs === untilMs && present.reason === reason) return { before, after };

  const isAdministrator = member.isPersonnel && roleType === roles.id.admin;
  if (isAdministrator && !present) await requireOtherAdministrator(tx, { memberId, nowMs });
  const role = labelKept(roles, member, roleType);
  await setBan(tx, { memberId, roleType, role, untilMs, reason, bannedById, nowMs });
  if (!present) {
    await suspendPlacesInClosedAccounts(tx, memberId);
    await endAllSessions(tx, memberId, { nowMs, reason: 'banned', endedById: bannedById });
    await setAuthToken(tx, { memberId, token: null, nowMs });
  }
  return { before, after };
}

/** A current ban in the audit log. */
export function banState(
  roles: Roles,
  { untilMs, reason }: { untilMs: number | null; reason: string | null },
): BanState {
  const until = untilMs === null ? null : new Date(untilMs).toISOString();
  return { roleType: roles.id.archived, banned: true, until, reason };
}

/** The label of a banned member's base role. A label that says archived was not theirs. */
export function labelKept(roles: Roles, { role }: { readonly role: string }, roleType: number): string {
  return role === roles.labelOf(roles.id.archived) ? roles.labelOf(roleType) : role;
}

/**
 * Gives a locked member a base role, another label, or both. A lower role ends their sessions and their auth_token. The last
 * staff of base role 0 keeps it. A role lifts a ban without an end. One with an end stays in force, and the member has the new
 * role after it.
 *
 * @param change a role that can be given; `actingRole` is the caller's acting role, the highest they can give
 * @throws {AppError} `permission_denied`, `last_administrator`
 */
export async function giveBaseRole(
  tx: StaffTransaction,
  roles: Roles,
  member: LockedMember,
  change: {
    roleType?: number | undefined;
    label?: string | undefined;
    actingRole: number;
    actorId: number | null;
    nowMs: number;
  },
): Promise<void> {
  const { roleType = member.roleType, actingRole, nowMs } = change;
  const isOther = roleType !== member.roleType;
  const label = change.label ?? (isOther ? roles.labelOf(roleType) : labelKept(roles, member, roleType));
  const lifts = change.roleType !== undefined && isArchived(member);
  if ((isOther || lifts) && !mayGive(roles, actingRole, roleType)) throw new AppError('permission_denied');
  const memberId = member.id;
  if (isBanned(member, nowMs) && !lifts) {
    const { bannedUntilMs } = member;
    const untilMs = bannedUntilMs === ENDLESS_MS ? null : bannedUntilMs;
    await setBannedRole(tx, { memberId, roleType, role: label, untilMs, nowMs });
    return;
  }
  const isAdministrator = member.isPersonnel && member.roleType === roles.id.admin;
  if (isAdministrator && isOther && !lifts) await requireOtherAdministrator(tx, { memberId, nowMs });
  await setMemberRole(tx, { memberId, roleType, role: label, nowMs });
  // `changeStaff` ends those of staff.
  if (member.isPersonnel || !outranks(roles, member.roleType, roleType)) return;
  await endAllSessions(tx, memberId, { nowMs, reason: 'role_changed', endedById: change.actorId });
  await setAuthToken(tx, { memberId, token: null, nowMs });
}

/** @throws {AppError} `invalid_input` for a member whose ban has to be lifted first */
export function requireNotBanned(member: LockedMember, nowMs: number): void {
  if (!isBanned(member, nowMs)) return;
  throw new AppError('invalid_input', {
    issues: [{ path: 'memberId', message: 'The member is banned: lift the ban first' }],
  });
}
