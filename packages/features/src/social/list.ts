import { listConnections } from '@gatehouse/db';
import { idCursor, listView, openCursor, pageInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { inPersonProcedure } from '../app/procedures.js';
import { connectionView, toConnectionView } from './connection-view.js';

/** The caller's connections, oldest first. */
export const list = inPersonProcedure
  .input(z.object(pageInput))
  .output(listView(connectionView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listConnections(ctx.services.db, ctx.caller.memberId, {
      afterId,
      limit: input.limit + 1,
    });
    return toPage(rows, input.limit, (row) => [row.id], toConnectionView);
  });
