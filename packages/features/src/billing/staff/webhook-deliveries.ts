import { AppError } from '@gatehouse/auth-core';
import { replayWebhook } from '@gatehouse/db/queries/process-webhooks';
import { findWebhook, listWebhooks, type WebhookRow } from '@gatehouse/db/queries/read-webhooks';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { BILLING_PROVIDERS } from '../../core/billing/billing-event.js';
import { requireLevelsOf } from '../../core/guard/account-access.js';
import { staffProcedure } from '../../core/guard/procedure.js';

/** A delivery of a payment provider, without its body. */
export const webhookView = z.object({
  id: z.int(),
  provider: z.string(),
  endpoint: z.string(),
  /** The type in the body, even of a rejected delivery; null if the body has none. */
  eventId: z.string().nullable(),
  type: z.string().nullable(),
  status: z.enum(['received', 'processed', 'ignored', 'rejected', 'failed']),
  reason: z.string().nullable(),
  attempts: z.number(),
  bodyBytes: z.number(),
  digest: z.string(),
  address: z.string(),
  occurredAt: z.iso.datetime().nullable(),
  receivedAt: z.iso.datetime(),
  processedAt: z.iso.datetime().nullable(),
});

export function toWebhookView(row: WebhookRow): z.output<typeof webhookView> {
  const { occurredAtMs, receivedAtMs, processedAtMs, ...rest } = row;
  return {
    ...rest,
    occurredAt: isoOrNull(occurredAtMs),
    receivedAt: new Date(receivedAtMs).toISOString(),
    processedAt: isoOrNull(processedAtMs),
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** The deliveries of the payment providers, newest first. */
export const listWebhooksForStaff = staffProcedure('webhook.read')
  .meta({ about: { summary: 'List deliveries of the payment providers' } })
  .input(
    listInput({
      provider: z.enum(BILLING_PROVIDERS).optional(),
      status: z.enum(['received', 'processed', 'ignored', 'rejected', 'failed']).optional(),
    }),
  )
  .output(listView(webhookView))
  .query(async ({ ctx, input: { limit, cursor, ...filter } }) => {
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const rows = await listWebhooks(ctx.services.db, { ...filter, beforeId, limit: limit + 1 });
    return toPage(rows, limit, (row) => [row.id], toWebhookView);
  });

/** One delivery with its body; of a rejected one the first 4 kB. */
export const webhookDetail = staffProcedure('webhook.read')
  .meta({
    about: {
      summary: 'See one delivery',
      refuses: ['not_found', 'enrolment_required', 'verification_required'],
    },
  })
  .input(z.object({ id: z.number().int().positive() }))
  .output(
    z.object({
      data: webhookView.extend({
        /** Null while it is not known whose payments it is about, and for an account that is erased. */
        account: z.object({ id: z.int(), name: z.string() }).nullable(),
        body: z.string(),
        bodyEncoding: z.enum(['utf8', 'base64']),
      }),
    }),
  )
  .query(async ({ ctx, input }) => {
    const row = await findWebhook(ctx.services.db, input.id);
    if (row === undefined) throw new AppError('not_found');
    const { accountId, body, bodyEncoding, ...rest } = row;
    const { access } = ctx.services;
    await requireLevelsOf(ctx, access, accountId === null ? [] : [accountId]);
    const account = accountId === null ? undefined : await access.account(accountId);
    return {
      data: {
        ...toWebhookView(rest),
        account: account === undefined || accountId === null ? null : { id: accountId, name: account.name },
        body,
        bodyEncoding,
      },
    };
  });

/**
 * Makes a processed event due again. Its claims are merged with the known facts, so replaying an applied
 * event changes nothing.
 */
export const replayWebhookAsStaff = staffProcedure('webhook.read')
  .meta({ about: { summary: 'Apply a delivery again', refuses: ['not_found', 'not_replayable'] } })
  .input(z.object({ id: z.number().int().positive() }))
  .output(z.object({ id: z.int(), message: z.string() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const accountId = (await findWebhook(ctx.services.db, id))?.accountId ?? null;
    const subjects = { share: { accounts: accountId === null ? [] : [accountId] } };
    await changeAndRecord(ctx, subjects, async ({ tx, nowMs }) => {
      const row = await findWebhook(tx, id);
      if (row === undefined) throw new AppError('not_found');
      // The event was applied after the account to ask was read.
      if (row.accountId !== accountId) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      if (!(await replayWebhook(tx, { id, nowMs }))) throw new AppError('not_replayable');
      return {
        result: undefined,
        record: {
          action: 'webhook.replayed',
          subjectKind: 'webhook',
          subjectId: id,
          before: { status: row.status, reason: row.reason, attempts: row.attempts },
          after: { status: 'received' },
        },
      };
    });
    return { id, message: 'The event will be processed again shortly.' };
  });
