import type { Roles } from '@gatehouse/auth-core';
import {
  endAllSessions,
  findBan,
  type LockedMember,
  type StaffTransaction,
  setAuthToken,
  setBan,
  suspendPlacesInClosedAccounts,
} from '@gatehouse/db';
import { formerRole } from './former-role.js';
import { requireOtherAdministrator } from './require-other-administrator.js';

/** A ban in the audit log. */
export interface BanState {
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
 * Bans a locked member and ends their sessions and auth_token, or changes the end and reason of a ban. The
 * member keeps role and label. Accounts that are closed now come back without them.
 *
 * @param ban `untilMs` is null for a ban without an end; an undefined reason stays as it is
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
  const roleType = await formerRole(tx, roles, member);
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
    await endAllSessions(tx, memberId, { nowMs });
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
