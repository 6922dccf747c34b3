import type { Roles } from '@gatehouse/auth-core';
import { type Database, hasLaterInvitation, type InvitationRow } from '@gatehouse/db';
import type { AccessReader } from '../../core/access/access-reader.js';
import { type InvitationState, stateOf } from './invitation-state.js';
import { isVouchedFor } from './is-vouched-for.js';

/**
 * The data that decides the state of an invitation: from the directory, or in a transaction from locked rows.
 */
export interface InvitationJudge {
  readonly db: Database;
  readonly roles: Roles;
  readonly access: AccessReader;
  readonly nowMs: number;
}

/** The current state of an invitation. */
export async function stateNow(
  { roles, access, nowMs }: Omit<InvitationJudge, 'db'>,
  invitation: InvitationRow,
): Promise<InvitationState> {
  const state = stateOf(invitation, { nowMs, isVouchedFor: true });
  if (state !== 'pending') return state;
  return stateOf(invitation, { nowMs, isVouchedFor: await isVouchedFor(roles, access, invitation) });
}

/** The current state to the reader of an invitation's link, who can still accept what was declined. */
export function stateForLink(
  judge: Omit<InvitationJudge, 'db'>,
  invitation: InvitationRow,
): Promise<InvitationState> {
  return stateNow(judge, invitation.status === 'declined' ? { ...invitation, status: 'open' } : invitation);
}

/** Whether a later link took the place of this one: of the same invitation or, once that was declined, of another. */
export async function isReplaced(
  db: Database,
  invitation: InvitationRow,
  tokenKey: string,
): Promise<boolean> {
  if (tokenKey !== invitation.tokenKey) return true;
  return invitation.status === 'declined' && (await hasLaterInvitation(db, invitation));
}
