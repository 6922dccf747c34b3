import { listWebhooks } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffProcedure } from '../../../core/guard/procedures.js';
import { BILLING_PROVIDERS } from '../../billing-provider.js';
import { toWebhookView, webhookView } from './webhook-view.js';

/** The deliveries of the payment providers, newest first. */
export const list = staffProcedure('webhook.read')
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
