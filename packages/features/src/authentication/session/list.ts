import { listSessions } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { memberProcedure } from '../../core/app/procedures.js';
import { sessionRowView, toSessionRowView } from './session-view.js';

/** The caller's open sessions, newest first. A partner's session only sees those the partner began. */
export const list = memberProcedure
  .input(listInput({}))
  .output(listView(sessionRowView))
  .query(async ({ ctx, input }) => {
    const [beforeId] = openCursor(input.cursor, idCursor) ?? [];
    const rows = await listSessions(ctx.services.db, ctx.caller.memberId, {
      nowMs: ctx.services.now(),
      limit: input.limit + 1,
      onlyPartnerId: ctx.caller.session.partnerId,
      ...(beforeId === undefined ? {} : { beforeId }),
    });
    return toPage(
      rows,
      input.limit,
      (row) => [row.id],
      (row) => toSessionRowView(row, ctx.caller.session),
    );
  });
