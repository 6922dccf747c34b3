import { listAudit } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { accountProcedure } from '../core/guard/procedures.js';
import { auditEntry, auditFilters } from './audit-entry.js';
import { openAuditRows } from './open-audit-rows.js';

/**
 * The changes in the account, newest first: who made them, and the values before and after. The actors'
 * network addresses are personal and left out.
 */
export const listOwn = accountProcedure('account.manage')
  .meta({ about: { summary: 'List what was changed in the account' } })
  .input(listInput(auditFilters))
  .output(listView(auditEntry))
  .query(async ({ ctx, input: { limit, cursor, from, until, actorId, action } }) => {
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const filter = { accountId: ctx.account.id, actorId, action, fromMs: from, untilMs: until };
    const found = await listAudit(ctx.services.db, filter, { limit: limit + 1, beforeId });
    const rows = await openAuditRows(ctx.services, found);
    return toPage(
      rows,
      limit,
      (row) => [row.id],
      ({
        atMs,
        id: entryId,
        action: done,
        actorId: actor,
        onBehalfOfId,
        subjectKind,
        subjectId,
        before,
        after,
      }) => ({
        id: entryId,
        at: new Date(atMs).toISOString(),
        action: done,
        actorId: actor,
        onBehalfOfId,
        subjectKind,
        subjectId,
        before,
        after,
      }),
    );
  });
