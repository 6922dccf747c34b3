import { storableText } from '@gatehouse/auth-core';
import { type AuditRow, listAudit } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffProcedure } from '../../app/procedures.js';
import { openAuditRows } from '../open-audit-rows.js';

const id = z.number().int().positive();
const instant = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));

const entryView = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  action: z.string(),
  /** Null for what the operator did on the command line. */
  actorId: z.int().nullable(),
  onBehalfOfId: z.int().nullable(),
  accountId: z.int().nullable(),
  subjectKind: z.string().nullable(),
  subjectId: z.string().nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
});

/** The audit log, newest first, narrowed down by any of the filters together. */
export const list = staffProcedure('audit.read')
  .meta({ about: { summary: 'List the audit log' } })
  .input(
    listInput({
      actorId: id.optional(),
      accountId: id.optional(),
      action: storableText(64).optional(),
      subjectKind: storableText(64).optional(),
      subjectId: storableText(64).optional(),
      /** Inclusive. */
      from: instant.optional(),
      /** Exclusive. */
      until: instant.optional(),
    }),
  )
  .output(listView(entryView))
  .query(async ({ ctx, input: { limit, cursor, from, until, ...filter } }) => {
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const times = { fromMs: from, untilMs: until };
    const found = await listAudit(ctx.services.db, { ...filter, ...times }, { limit: limit + 1, beforeId });
    const rows = await openAuditRows(ctx.services, found);
    return toPage(rows, limit, (row) => [row.id], toEntryView);
  });

function toEntryView({ atMs, ...row }: AuditRow): z.output<typeof entryView> {
  return { at: new Date(atMs).toISOString(), ...row };
}
