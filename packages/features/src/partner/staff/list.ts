import { listPartners } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { staffProcedure } from '../../core/guard/procedures.js';
import { partnerView, toPartnerView } from './partner-view.js';

/** All partners, deactivated ones included. */
export const list = staffProcedure('partner.manage')
  .meta({ about: { summary: 'List partners' } })
  .input(listInput({}))
  .output(listView(partnerView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listPartners(ctx.services.db, { afterId, limit: input.limit + 1 });
    return toPage(rows, input.limit, ({ id }) => [id], toPartnerView);
  });
