import { storableText } from '@gatehouse/auth-core';
import { type AuditRow, listAudit } from '@gatehouse/db/queries/audit-log';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { instant } from '../core/inputs.js';
import { auditMember, memberCiphers, openAddress, openState } from './member-cipher.js';

/** The filters of every list of the audit log. */
export const auditFilters = {
  actorId: z.number().int().positive().optional(),
  action: storableText(64).optional(),
  /** Inclusive. */
  from: instant.optional(),
  /** Exclusive. */
  until: instant.optional(),
};

/** An entry as all readers of the audit log see it. */
export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  action: z.string(),
  /** Null for a command of the operator. */
  actorId: z.int().nullable(),
  /** The API key with which a machine acted; null for a member. */
  keyId: z.int().nullable(),
  /** The application that acted for the actor; null if none did. Its name is null once its account was erased. */
  application: z.object({ id: z.int(), name: z.string().nullable() }).nullable(),
  onBehalfOfId: z.int().nullable(),
  subjectKind: z.string().nullable(),
  subjectId: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
});

/** The application that acted for the actor of a line. */
export function actingApplication({
  applicationId,
  applicationName,
}: Pick<AuditRow, 'applicationId' | 'applicationName'>): z.output<typeof auditEntry>['application'] {
  return applicationId === null ? null : { id: applicationId, name: applicationName };
}

/** The fields of an entry of the audit log that say who did what for whom. */
export type AuditLine = Pick<
  AuditRow,
  'actorId' | 'onBehalfOfId' | 'subjectKind' | 'subjectId' | 'address' | 'before' | 'after'
>;

/** Decrypts lines of the audit log. Personal data of erased members is gone. */
export async function openAuditRows<Row extends AuditLine>(
  services: Pick<Services, 'db' | 'cipher'>,
  rows: readonly Row[],
): Promise<Row[]> {
  const concerned = rows.flatMap((row) => [auditMember(row), row.actorId ?? undefined]);
  const ciphers = await memberCiphers(
    services,
    concerned.filter((id) => id !== undefined),
  );
  return rows.map((row) => {
    const memberId = auditMember(row);
    const cipher = memberId === undefined ? undefined : ciphers.get(memberId);
    const callerId = row.actorId ?? memberId;
    const callers = callerId === undefined ? undefined : ciphers.get(callerId);
    return {
      ...row,
      address: openAddress(callers, row.address),
      before: openState(cipher, row.before),
      after: openState(cipher, row.after),
    };
  });
}

/**
 * The changes in the account, newest first: who made them, and the values before and after. The actors'
 * network addresses are personal and left out.
 */
export const listOwnAudit = accountProcedure('account.manage')
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
        keyId,
        applicationId,
        applicationName,
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
        keyId,
        application: actingApplication({ applicationId, applicationName }),
        onBehalfOfId,
        subjectKind,
        subjectId,
        before,
        after,
      }),
    );
  });
