import { storableText } from '@gatehouse/auth-core';
import { listAudit } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { accountProcedure } from '../app/procedures.js';
import { openAuditRows } from './open-audit-rows.js';

const id = z.number().int().positive();
const instant = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));

/** Without the addresses that people and staff acted from: those are theirs. */
const entryView = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  action: z.string(),
  /** Null for what the operator did on the command line. */
  actorId: z.int().nullable(),
  onBehalfOfId: z.int().nullable(),
  subjectKind: z.string().nullable(),
  subjectId: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
});

/** What was changed in the account, newest first: who did it, and how it was before and after. */
export const listOwn = accountProcedure('account.manage')
  .meta({ about: { summary: 'List what was changed in the account' } })
  .input(
    listInput({
      actorId: id.optional(),
      action: storableText(64).optional(),
      /** Inclusive. */
      from: instant.optional(),
      /** Exclusive. */
      until: instant.optional(),
    }),
  )
  .output(listView(entryView))
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
