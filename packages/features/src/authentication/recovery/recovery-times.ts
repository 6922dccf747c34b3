import type { Database } from '@gatehouse/db/database';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import { findMember } from '@gatehouse/db/queries/read-members';
import { countRecoveriesSince, type RecoveryRow } from '@gatehouse/db/queries/recoveries';
import {
  findFormerAddress,
  findNewestSecurityEvent,
  hasSecurityEventAfter,
  ownsAnAccount,
} from '@gatehouse/db/queries/recovery-subject';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WAIT_MS = 24 * HOUR_MS;
const LONG_WAIT_MS = 72 * HOUR_MS;

/** A change of the address or a reset this recent doubles the wait. */
const RECENT_MS = 7 * DAY_MS;
const SECOND_ONE_MS = 30 * DAY_MS;

/** How long a recovery waits, and whether another member of staff has to agree. */
interface RecoveryTimes {
  readonly effectiveAtMs: number;
  readonly needsApproval: boolean;
}

/**
 * The wait of a recovery: 24 hours, 72 for owners and staff, and twice that within seven days of a new address or a
 * reset. Staff, and members who had a recovery in the last 30 days, need the approval of a second member of staff.
 * @param nowMs the database's time
 */
export async function recoveryTimes(
  tx: Database,
  { memberId, isPersonnel, nowMs }: { memberId: number; isPersonnel: boolean; nowMs: number },
): Promise<RecoveryTimes> {
  const sinceMs = nowMs - RECENT_MS;
  const hasChanged =
    (await findFormerAddress(tx, { memberId, atMs: sinceMs })) !== undefined ||
    (await findNewestSecurityEvent(tx, { memberId, kind: 'address.changed', sinceMs })) !== undefined ||
    (await findNewestSecurityEvent(tx, { memberId, kind: 'password.reset', sinceMs })) !== undefined;
  const waitMs = (await shortestWait(tx, memberId, isPersonnel)) * (hasChanged ? 2 : 1);
  const before = await countRecoveriesSince(tx, { memberId }, nowMs - SECOND_ONE_MS);
  return { effectiveAtMs: nowMs + waitMs, needsApproval: isPersonnel || before > 0 };
}

/**
 * Whether a recovery no longer fits its member: since it was opened they were removed, changed their address or reset their
 * password, or they became staff or an owner, whose recoveries wait longer and need approval.
 * @param nowMs the database's time
 */
export async function isOvertaken(
  tx: Database,
  { memberId, openedAtMs, effectiveAtMs, approvedById }: RecoveryRow,
  nowMs: number,
): Promise<boolean> {
  const member = await findMember(tx, memberId);
  if (!member || !isActiveAt(member, nowMs)) return true;
  const { email, emailConfirmedAtMs, isPersonnel } = member;
  if (email === null || emailConfirmedAtMs === null) return true;
  for (const kind of ['address.changed', 'password.reset']) {
    if (await hasSecurityEventAfter(tx, { memberId, kind, after: 'recovery.opened' })) return true;
  }
  if (isPersonnel && approvedById === null) return true;
  return effectiveAtMs - openedAtMs < (await shortestWait(tx, memberId, isPersonnel));
}

async function shortestWait(tx: Database, memberId: number, isPersonnel: boolean): Promise<number> {
  return isPersonnel || (await ownsAnAccount(tx, memberId)) ? LONG_WAIT_MS : WAIT_MS;
}

/** The states of an open recovery. */
export const RECOVERY_STATES = ['unapproved', 'waiting', 'ticketMailed', 'ticketUsed'] as const;

type RecoveryState = (typeof RECOVERY_STATES)[number];

/** How far an open recovery is: without the approval it needs, in its wait, with a ticket, or with a session that has it. */
export function recoveryState({
  needsApproval,
  approvedById,
  ticketExpiresAtMs,
  ticketUsedAtMs,
}: RecoveryRow): RecoveryState {
  if (ticketUsedAtMs !== null) return 'ticketUsed';
  if (ticketExpiresAtMs !== null) return 'ticketMailed';
  return needsApproval && approvedById === null ? 'unapproved' : 'waiting';
}
