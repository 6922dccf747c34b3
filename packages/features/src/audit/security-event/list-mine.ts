import { listSecurityEvents } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { inPersonProcedure } from '../../core/guard/procedures.js';
import { securityEventView, toSecurityEventView } from './security-event-view.js';

/** The caller's security events of the last 90 days, newest first. */
export const listMine = inPersonProcedure
  .meta({ about: { summary: "List what happened to one's security" } })
  .input(listInput({}))
  .output(listView(securityEventView))
  .query(async ({ ctx, input: { limit, cursor } }) => {
    const { memberId } = ctx.caller;
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const rows = await listSecurityEvents(ctx.services.db, memberId, { limit: limit + 1, beforeId });
    return toPage(
      rows,
      limit,
      (row) => [row.id],
      (row) => toSecurityEventView(row, memberId),
    );
  });
