import { storableText } from '@gatehouse/auth-core';
import { listMails } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { mailStates, mailView, STORED_STATES, toMailView } from './mail-view.js';

/** The mails to members of the accounts the caller acts in, newest first: never their text. */
export const list = staffScopedProcedure('member.list')
  .meta({ about: { summary: 'List mails, and whether they left' } })
  .input(
    listInput({
      memberId: z.number().int().positive().optional(),
      state: mailStates.optional(),
      kind: storableText(64).optional(),
    }),
  )
  .output(listView(mailView))
  .query(async ({ ctx, input: { limit, cursor, memberId, state, kind } }) => {
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const filter = { scope: ctx.scope, memberId, state: state && STORED_STATES[state], kind };
    const rows = await listMails(ctx.services.db, filter, { limit: limit + 1, beforeId });
    return toPage(rows, limit, (row) => [row.id], toMailView);
  });
