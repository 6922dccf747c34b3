import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  changeStaffStanding,
  findMemberAddress,
  type StaffTransaction,
} from '@gatehouse/db';
import type { Context } from '../../core/context.js';
import { mailLimitError } from '../../mail/mail-limit-error.js';
import { mailStaffInvitation } from '../../registration/mail-staff-invitation.js';
import { renewUsername } from '../../registration/usernames.js';
import { endSignIns } from './end-sign-ins.js';
import { endFormerSessions, isInForce, staffChange, tellStaffChange } from './staff-change.js';

/** Whose authority changes, and who changes it. */
export interface StaffChange {
  readonly memberId: number;
  readonly actorId: number;
  readonly nowMs: number;
}

/**
 * The only way to change what a member may do as staff: their staff status, base role and grants, also by a ban, a deletion or
 * the end of one. The caller has locked the member, and the transaction names them as changed.
 *
 * Every rise or fall ends their sessions, sign-ins under way and auth_token, and a mail tells them. Whoever rises must have
 * proven their address. Otherwise everything that signs in to the member ends, and the address gets the invitation of a new
 * colleague. This also happens, without the invitation, when a ban begins: it may end by itself.
 *
 * @throws {AppError} `no_address` for a rise of somebody without one, `rate_limited` if the address gets no invitation now
 */
export function changeStaff<Result>(
  ctx: Pick<Context, 'services' | 'call'>,
  tx: AccessTransaction,
  change: StaffChange,
  body: (tx: StaffTransaction) => Promise<Result>,
): Promise<Result> {
  const { services } = ctx;
  return changeStaffStanding(tx, change, body, async (staffTx, before, after) => {
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
