import type { InvitationRow } from '@gatehouse/db';
import { z } from 'zod';

/** The state of an invitation when it is read. */
export const invitationState = z.enum(['pending', 'accepted', 'declined', 'revoked', 'expired', 'void']);

export type InvitationState = z.output<typeof invitationState>;

/** @param isVouchedFor whether the inviter may still give the offered role */
export function stateOf(
  { status, expiresAtMs }: Pick<InvitationRow, 'status' | 'expiresAtMs'>,
  { nowMs, isVouchedFor }: { nowMs: number; isVouchedFor: boolean },
): InvitationState {
  if (status !== 'open') return status;
  if (expiresAtMs <= nowMs) return 'expired';
  return isVouchedFor ? 'pending' : 'void';
}
