import {
  AppError,
  dummyHash,
  type Roles,
  type StaffAuthority,
  staffAuthorityChange,
} from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { setAuthToken } from '@gatehouse/db/queries/change-session';
import {
  changeStaffStatus,
  type StaffStatus,
  type StaffTransaction,
} from '@gatehouse/db/queries/change-staff-status';
import { endUnprovenSignIns } from '@gatehouse/db/queries/personnel';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { recordAudit } from '../audit/record-audit.js';
import { endFactors } from '../authentication/staff-enrolment.js';
import type { Context, Services } from '../core/context.js';
import { mailLimitError } from '../mail/limit-mails.js';
import { writeMail } from '../mail/queue-mail.js';
import { mailStaffInvitation } from '../registration/mail-staff-invitation.js';
import { renewUsername } from '../registration/usernames.js';

/** How a member's authority as staff changes, and how it would without a ban. */
export function staffChange(roles: Roles, before: StaffStatus, after: StaffStatus) {
  const now = (status: StaffStatus): StaffAuthority => ({ ...status, isStaff: isInForce(status) });
  const withoutBan = (status: StaffStatus) => now({ ...status, isBanned: false });
  return {
    inForce: staffAuthorityChange(roles, now(before), now(after)),
    apartFromBan: staffAuthorityChange(roles, withoutBan(before), withoutBan(after)),
  };
}

/** Whether a member acts as staff: neither deleted nor banned nor switched off. */
function isInForce({ isPersonnel, isDeleted, isBanned }: StaffStatus): boolean {
  return isPersonnel && !isDeleted && !isBanned;
}

/** Ends the sessions, pending sign-ins and auth_token that a person had with their previous authority. */
export async function endFormerSessions(
  tx: AccessTransaction,
  { memberId, actorId, nowMs }: { memberId: number; actorId: number | null; nowMs: number },
): Promise<void> {
  await endAllSessions(tx, memberId, { nowMs, reason: 'role_changed', endedById: actorId });
  await setAuthToken(tx, { memberId, token: null, nowMs });
}

/** Mails a member their authority as staff from now on. No limit holds this mail back. */
async function tellStaffChange(
  tx: StaffTransaction,
  services: Pick<Services, 'cipher' | 'now'> & Partial<Pick<Services, 'config'>>,
  roles: Roles,
  { memberId, after, nowMs }: { memberId: number; after: StaffStatus; nowMs: number },
): Promise<void> {
  if (after.email === null) return;
  const role = isInForce(after) ? roles.labelOf(after.roleType) : null;
  const data = { role, atMs: nowMs };
  await writeMail(tx, services, { kind: 'staffAccessChanged', to: after.email, memberId, data });
}

/**
 * Ends every way to sign in to a member with an unproven address who is or becomes staff: sessions, factors, auth_token, provider
 * profiles and the password. Only the mailbox is left. The caller has locked the member.
 */
export async function endSignIns(
  ctx: Pick<Context, 'services' | 'call'>,
  tx: AccessTransaction,
  { memberId, actorId, nowMs }: { memberId: number; actorId: number; nowMs: number },
): Promise<void> {
  await endFactors(tx, { memberId, actorId, nowMs });
  await endUnprovenSignIns(tx, { memberId, password: dummyHash, nowMs });
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: 'member.sign-ins-ended',
    actorId,
    onBehalfOfId: memberId,
    subjectKind: 'member',
    subjectId: memberId,
  });
}

/** The member whose authority changes, and who changes it. */
interface StaffChange {
  readonly memberId: number;
  readonly actorId: number;
  readonly nowMs: number;
}

/**
 * The only way to change a member's authority as staff: their staff status, base role and grants, also by a ban, a deletion or
 * the end of one. The caller has locked the member, and the transaction names them as changed. Every rise or fall ends their
 * sessions, pending sign-ins and auth_token, and a mail tells them. To rise they must have proven their address. Otherwise every
 * way to sign in to the member ends, and the address gets the invitation of a new colleague. This also happens, without the
 * invitation, when a ban begins: it may end by itself.
 * @throws {AppError} `no_address` for a rise of somebody without one, `rate_limited` if the address gets no invitation now
 */
export function changeStaff<Result>(
  ctx: Pick<Context, 'services' | 'call'>,
  tx: AccessTransaction,
  change: StaffChange,
  body: (tx: StaffTransaction) => Promise<Result>,
): Promise<Result> {
  const { services } = ctx;
  return changeStaffStatus(tx, change, body, async (staffTx, before, after) => {
    const { memberId, nowMs } = change;
    const { inForce, apartFromBan } = staffChange(services.roles, before, after);
    if (inForce === 'none' && apartFromBan === 'none') return;
    await endFormerSessions(staffTx, change);

    const rises = inForce === 'rise' || apartFromBan === 'rise';
    if (rises) await renewUsername(staffTx, change);
    const isBannedNow = after.isBanned && !before.isBanned;
    const isInvited = isInForce(before) && before.hasNotJoined && !before.isProven;
    if (!after.isProven && !isInvited && (rises || isBannedNow)) {
      if (rises && after.email === null) throw new AppError('no_address');
      await endSignIns(ctx, staffTx, change);
      if (rises && !after.isBanned) return invite(ctx, staffTx, memberId);
    }
    // Somebody who was invited and has not joined may have a mistyped address.
    if (inForce !== 'none' && !isInvited)
      await tellStaffChange(staffTx, services, services.roles, { memberId, after, nowMs });
  });
}

async function invite(
  { services }: Pick<Context, 'services'>,
  tx: StaffTransaction,
  memberId: number,
): Promise<void> {
  const { email, passwordChangedAtMs } = (await findMemberAddress(tx, memberId)) ?? { email: null };
  if (email === null || passwordChangedAtMs === undefined) throw new AppError('no_address');
  const person = { id: memberId, email, passwordChangedAtMs };
  if (await mailStaffInvitation(tx, services, person, { endedSignIns: true })) return;
  throw await mailLimitError(services, {
    kind: 'staffInvitation',
    to: email,
    name: 'staff-invitation-mail',
  });
}
