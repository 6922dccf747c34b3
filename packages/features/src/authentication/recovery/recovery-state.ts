import type { RecoveryRow } from '@gatehouse/db';

/** How far an open recovery is. */
export const RECOVERY_STATES = ['unapproved', 'waiting', 'ticketMailed', 'ticketUsed'] as const;

export type RecoveryState = (typeof RECOVERY_STATES)[number];

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
