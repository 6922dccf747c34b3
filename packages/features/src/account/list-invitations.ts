import { isProven } from '@gatehouse/db/queries/member-columns';
import {
  type InvitationFilter,
  type ListedInvitation,
  listInvitations,
  listInvitationsTo,
  type ReceivedInvitation,
} from '@gatehouse/db/queries/read-invitations';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import type { ProcedureAbout } from '@gatehouse/http/trpc/procedure-rule';
import { z } from 'zod';
import { accountProcedure, procedure } from '../core/guard/procedure.js';
import { personName } from '../core/member-view.js';
import { type InvitationState, invitationState, stateNow } from './invitation-state.js';
import { invitationView, roleShown, toInvitationView } from './invitation-view.js';
import type { InviterContext } from './inviter-rules.js';

/** Rows per read when some of them are left out. */
const PORTION = 200;

const input = listInput({ state: invitationState.optional() });

/** The invitations of the selected account, newest first: all of them, or those in the given `state`. */
export const invitationListing = {
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
  const authorize = { roles, access, nowMs };
  const filter = { accountId: account.id, only: rowsThatMayBe(wanted), nowMs };
  const shown: { row: ListedInvitation; state: InvitationState }[] = [];
  let [beforeId] = openCursor(cursor, idCursor) ?? [Number.MAX_SAFE_INTEGER];
  for (;;) {
    const rows = await listInvitations(db, filter, { beforeId, limit: PORTION + 1 });
    for (const row of rows) {
      const state = await stateNow(authorize, row);
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

/** The invitations of the selected account, newest first: all of them, or those in the given `state`. */
export const listAccountInvitations = accountProcedure('member.manage', { programs: true })
  .meta({ about: invitationListing.about })
  .input(invitationListing.input)
  .output(invitationListing.output)
  .query(({ ctx, input }) => invitationListing.run(ctx, input));

const view = z.object({
  id: z.int(),
  accountId: z.int(),
  accountName: z.string(),
  inviterName: z.string(),
  email: z.string(),
  roleType: z.int(),
  role: z.string(),
  customRoleId: z.int().nullable(),
  state: z.literal('pending'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

/** The invitations that the caller can accept or decline: those to their proven address. */
export const listMyInvitations = procedure({ who: 'member', inPerson: true })
  .meta({ about: { summary: "List the invitations to one's proven address" } })
  .input(listInput({}))
  .output(listView(view))
  .query(async ({ ctx, input: { limit, cursor } }) => {
    const { db, roles, access, now } = ctx.services;
    const nowMs = now();
    const authorize = { roles, access, nowMs };
    const address = await findMemberAddress(db, ctx.caller.memberId);
    const emailKey = address !== undefined && isProven(address) ? address.emailKey : null;
    const shown: ReceivedInvitation[] = [];
    let [beforeId] = openCursor(cursor, idCursor) ?? [Number.MAX_SAFE_INTEGER];
    while (emailKey !== null) {
      const rows = await listInvitationsTo(db, { emailKey, nowMs }, { beforeId, limit: PORTION + 1 });
      for (const row of rows) if ((await stateNow(authorize, row)) === 'pending') shown.push(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length <= PORTION || shown.length > limit) break;
      beforeId = last.id;
    }
    return toPage(
      shown.slice(0, limit + 1),
      limit,
      (row) => [row.id],
      (row) => ({
        id: row.id,
        accountId: row.accountId,
        accountName: row.accountName,
        inviterName: personName({
          firstName: row.inviterFirstName,
          lastName: row.inviterLastName,
          username: row.inviterUsername,
        }),
        email: row.email,
        ...roleShown(row, roles),
        state: 'pending' as const,
        createdAt: new Date(row.createdAtMs).toISOString(),
        expiresAt: new Date(row.expiresAtMs).toISOString(),
      }),
    );
  });
