import { listPartners } from '@gatehouse/db';
import { staffProcedure } from '@gatehouse/features/app/procedures';
import { idCursor, listView, openCursor, pageInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { partnerView, toPartnerView } from './partner-view.js';

/** All partners, deactivated ones included. */
export const list = staffProcedure('partner.manage')
  .meta({ about: { summary: 'List partners' } })
  .input(z.object(pageInput))
  .output(listView(partnerView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listPartners(ctx.kit.db, { afterId, limit: input.limit + 1 });
    return toPage(rows, input.limit, ({ id }) => [id], toPartnerView);
  });
