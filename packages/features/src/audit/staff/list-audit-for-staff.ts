import { storableText } from '@gatehouse/auth-core';
import { type AuditRow, listAudit } from '@gatehouse/db/queries/audit-log';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffProcedure } from '../../core/guard/procedure.js';
import { auditEntry, auditFilters, openAuditRows } from '../list-audit.js';

const id = z.number().int().positive();

const entryView = auditEntry.extend({
  accountId: z.int().nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
});

/**
 * The audit log, newest first; filters can be combined. Without the lines of accounts that need a session of a higher
 * level.
 */
export const listAuditForStaff = staffProcedure('audit.read')
  .meta({ about: { summary: 'List the audit log' } })
  .input(
    listInput({
      ...auditFilters,
      accountId: id.optional(),
      subjectKind: storableText(64).optional(),
      subjectId: storableText(64).optional(),
      /** As a failure and the header `X-Request-Id` name it. */
      requestId: storableText(64).optional(),
    }),
  )
  .output(listView(entryView))
  .query(async ({ ctx, input: { limit, cursor, from, until, ...filter } }) => {
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const times = { fromMs: from, untilMs: until };
    const session = { level: ctx.caller.session.level, nowMs: ctx.services.now() };
    const asked = { ...filter, ...times, session };
    const found = await listAudit(ctx.services.db, asked, { limit: limit + 1, beforeId });
    const rows = await openAuditRows(ctx.services, found);
    return toPage(rows, limit, (row) => [row.id], toEntryView);
  });

function toEntryView({ atMs, ...row }: AuditRow): z.output<typeof entryView> {
  return { at: new Date(atMs).toISOString(), ...row };
}
