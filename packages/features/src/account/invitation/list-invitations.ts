import { type InvitationFilter, type ListedInvitation, listInvitations } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import type { ProcedureAbout } from '@gatehouse/http/trpc/procedure-rule';
import type { z } from 'zod';
import { type InvitationState, invitationState } from './invitation-state.js';
import { invitationView, toInvitationView } from './invitation-view.js';
import type { InviterContext } from './inviter-context.js';
import { stateNow } from './state-now.js';

/** Rows per read when some of them are left out. */
const PORTION = 200;

const input = listInput({ state: invitationState.optional() });

/** The invitations of the selected account, newest first: all of them, or those in the given `state`. */
export const listInvitationsOf = {
  about: { summary: 'List the invitations of an account' } satisfies ProcedureAbout,
  input,
  output: listView(invitationView),
  run: (ctx: InviterContext, asked: z.output<typeof input>) => pageInvitations(ctx, asked, (_, view) => view),
};

/** One page of the invitations of the selected account. */
export async function pageInvitations<View>(
  { account, caller, services }: InviterContext,
  { state: wanted, limit, cursor }: z.output<typeof input>,
  view: (row: ListedInvitation, view: z.output<typeof invitationView>) => View,
): Promise<{ data: View[]; page: { limit: number; nextCursor: string | null } }> {
  const { db, roles, access, now } = services;
  const nowMs = now();
  const judge = { roles, access, nowMs };
  const filter = { accountId: account.id, only: rowsThatMayBe(wanted), nowMs };
  const shown: { row: ListedInvitation; state: InvitationState }[] = [];
  let [beforeId] = openCursor(cursor, idCursor) ?? [Number.MAX_SAFE_INTEGER];
  for (;;) {
    const rows = await listInvitations(db, filter, { beforeId, limit: PORTION + 1 });
    for (const row of rows) {
      const state = await stateNow(judge, row);
      if (wanted === undefined || state === wanted) shown.push({ row, state });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length <= PORTION || shown.length > limit) break;
    beforeId = last.id;
  }
  return toPage(
    shown.slice(0, limit + 1),
    limit,
    ({ row }) => [row.id],
    ({ row, state }) => view(row, toInvitationView(row, roles, state, caller.member)),
  );
}

/** The void ones are open rows whose inviter may no longer invite. */
function rowsThatMayBe(state: InvitationState | undefined): InvitationFilter['only'] {
  return state === 'void' ? 'pending' : state;
}
