import { AppError } from '@gatehouse/auth-core';
import { findListedInvitation } from '@gatehouse/db';
import type { z } from 'zod';
import { type invitationView, toInvitationView } from './invitation-view.js';
import { type InvitationJudge, stateNow } from './state-now.js';

/** An invitation as inviters see it. */
export async function shownInvitation(
  judge: InvitationJudge,
  invitationId: number,
  reader: { readonly isPersonnel: boolean },
): Promise<z.output<typeof invitationView>> {
  const row = await findListedInvitation(judge.db, invitationId);
  if (!row) throw new AppError('not_found');
  return toInvitationView(row, judge.roles, await stateNow(judge, row), reader);
}
