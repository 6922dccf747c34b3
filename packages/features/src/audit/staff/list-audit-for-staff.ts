import { storableText } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type AuditRow, listAudit } from '@gatehouse/db/queries/audit-log';
import { listMemberNames } from '@gatehouse/db/queries/read-members';
import { listAccountNames } from '@gatehouse/db/queries/search-accounts';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffProcedure } from '../../core/guard/procedure.js';
import { personName } from '../../core/member-view.js';
import { actingApplication, auditEntry, auditFilters, openAuditRows } from '../list-audit.js';

const id = z.number().int().positive();

const entryView = auditEntry.extend({
  accountId: z.int().nullable(),
  /** Null for an account that needs a session of a higher level. */
  accountName: z.string().nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  /** Null for a command of the operator, and for an erased member. */
  actorName: z.string().nullable(),
  onBehalfOfName: z.string().nullable(),
  /** The name of a member, or of an account that needs no session of a higher level. */
  subjectName: z.string().nullable(),
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
    const { members, accounts } = await namesIn(ctx.services.db, rows, session);
    const nameOf = (memberId: number | null) => (memberId === null ? null : (members.get(memberId) ?? null));
    return toPage(
      rows,
      limit,
      (row) => [row.id],
      ({ atMs, applicationId, applicationName, ...row }) => ({
        at: new Date(atMs).toISOString(),
        ...row,
        application: actingApplication({ applicationId, applicationName }),
        accountName: row.accountId === null ? null : (accounts.get(row.accountId) ?? null),
        actorName: nameOf(row.actorId),
        onBehalfOfName: nameOf(row.onBehalfOfId),
        subjectName:
          row.subjectKind === 'account'
            ? (accounts.get(Number(row.subjectId)) ?? null)
            : row.subjectKind === 'member'
              ? nameOf(Number(row.subjectId))
              : null,
      }),
    );
  });

/** The names of the members in some lines, and of the accounts that the session may see. */
async function namesIn(
  db: Database,
  rows: readonly AuditRow[],
  session: { readonly level: number; readonly nowMs: number },
) {
  const subjects = (kind: string) =>
    rows.flatMap(({ subjectKind, subjectId }) => (subjectKind === kind ? [Number(subjectId)] : []));
  const people = rows.flatMap(({ actorId, onBehalfOfId }) => [actorId, onBehalfOfId]);
  const memberIds = [...subjects('member'), ...people].filter(isId);
  const accountIds = [...subjects('account'), ...rows.map(({ accountId }) => accountId)].filter(isId);
  const [members, accounts] = await Promise.all([
    listMemberNames(db, [...new Set(memberIds)]),
    listAccountNames(db, [...new Set(accountIds)], session),
  ]);
  return {
    members: new Map(members.map((row) => [row.id, personName(row)])),
    accounts: new Map(accounts.map((row) => [row.id, row.name])),
  };
}

const isId = (value: number | null): value is number => Number.isSafeInteger(value) && value !== 0;
