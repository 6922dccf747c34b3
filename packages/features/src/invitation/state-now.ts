import type { Roles } from '@gatehouse/auth-core';
import type { Database, InvitationRow } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import { type InvitationState, stateOf } from './invitation-state.js';
import { isVouchedFor } from './is-vouched-for.js';

/** What an invitation is judged with: by the directory, or in a transaction by the rows it holds. */
export interface InvitationJudge {
  readonly db: Database;
  readonly roles: Roles;
  readonly access: AccessReader;
  readonly nowMs: number;
}

/** Where an invitation stands. */
export async function stateNow(
  { roles, access, nowMs }: Omit<InvitationJudge, 'db'>,
  invitation: InvitationRow,
): Promise<InvitationState> {
  const state = stateOf(invitation, { nowMs, isVouchedFor: true });
  if (state !== 'pending') return state;
  return stateOf(invitation, { nowMs, isVouchedFor: await isVouchedFor(roles, access, invitation) });
}
