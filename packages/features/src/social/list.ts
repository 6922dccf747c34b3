import { listConnections } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { inPersonProcedure } from '../app/procedures.js';
import { connectionView, toConnectionView } from './connection-view.js';

/** The caller's connections, oldest first. */
export const list = inPersonProcedure
  .input(listInput({}))
  .output(listView(connectionView))
  .query(async ({ ctx, input }) => {
    const nowMs = ctx.services.now();
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listConnections(ctx.services.db, ctx.caller.memberId, {
      afterId,
      limit: input.limit + 1,
    });
    return toPage(
      rows,
      input.limit,
      (row) => [row.id],
      (row) => toConnectionView(row, nowMs),
    );
  });
