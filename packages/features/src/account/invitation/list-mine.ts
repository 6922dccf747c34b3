import { findMemberAddress, isProven, listInvitationsTo, type ReceivedInvitation } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { inPersonProcedure } from '../../core/guard/procedures.js';
import { personName } from '../../core/member-view.js';
import { roleShown } from './invitation-view.js';
import { stateNow } from './state-now.js';

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

/** Rows per read; some of them may be left out. */
const PORTION = 200;

/** The invitations that the caller can accept or decline: those to their proven address. */
export const listMine = inPersonProcedure
  .meta({ about: { summary: "List the invitations to one's proven address" } })
  .input(listInput({}))
  .output(listView(view))
  .query(async ({ ctx, input: { limit, cursor } }) => {
    const { db, roles, access, now } = ctx.services;
    const nowMs = now();
    const judge = { roles, access, nowMs };
    const address = await findMemberAddress(db, ctx.caller.memberId);
    const emailKey = address !== undefined && isProven(address) ? address.emailKey : null;
    const shown: ReceivedInvitation[] = [];
    let [beforeId] = openCursor(cursor, idCursor) ?? [Number.MAX_SAFE_INTEGER];
    while (emailKey !== null) {
      const rows = await listInvitationsTo(db, { emailKey, nowMs }, { beforeId, limit: PORTION + 1 });
      for (const row of rows) if ((await stateNow(judge, row)) === 'pending') shown.push(row);
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
