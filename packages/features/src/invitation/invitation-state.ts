import type { InvitationRow } from '@gatehouse/db';
import { z } from 'zod';

/** Where an invitation stands at the moment it is read. */
export const invitationState = z.enum(['pending', 'accepted', 'declined', 'revoked', 'expired', 'void']);

export type InvitationState = z.output<typeof invitationState>;

/** @param isVouchedFor whether the inviter may still give what it offers */
export function stateOf(
  { status, expiresAtMs }: Pick<InvitationRow, 'status' | 'expiresAtMs'>,
  { nowMs, isVouchedFor }: { nowMs: number; isVouchedFor: boolean },
): InvitationState {
  if (status !== 'open') return status;
  if (expiresAtMs <= nowMs) return 'expired';
  return isVouchedFor ? 'pending' : 'void';
}
