import { AppError, type ErrorCode } from '@gatehouse/auth-core';
import type { InvitationState } from './invitation-state.js';

const REFUSALS = {
  accepted: 'invitation_used',
  declined: 'invitation_used',
  revoked: 'invitation_revoked',
  expired: 'invitation_expired',
  void: 'invitation_void',
} as const satisfies Record<Exclude<InvitationState, 'pending'>, ErrorCode>;

/** The possible refusals of a link. */
export const LINK_REFUSALS = [
  'invalid_token',
  'invitation_expired',
  'invitation_revoked',
  'invitation_used',
  'invitation_replaced',
  'invitation_void',
] as const satisfies readonly ErrorCode[];

/**
 * Requires an invitation that can still be answered and, if a link was followed, that it is the newest one.
 * @throws {AppError} saying why it cannot
 */
export function requireAnswerable(state: InvitationState, isReplaced: boolean): void {
  if (isReplaced && (state === 'pending' || state === 'expired' || state === 'void')) {
    throw new AppError('invitation_replaced');
  }
  if (state !== 'pending') throw new AppError(REFUSALS[state]);
}
