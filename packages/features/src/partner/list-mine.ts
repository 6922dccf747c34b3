import { listPartnersOfMember } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { memberProcedure } from '../core/guard/procedures.js';

const view = z.object({
  partnerId: z.int(),
  name: z.string(),
  appUrl: z.string(),
  active: z.boolean(),
  linkedAt: z.iso.datetime(),
  consentedAt: z.iso.datetime().nullable(),
  /** Since when it awaits the member's decision and may not sign them on; null where it does not. */
  heldSince: z.iso.datetime().nullable(),
});

/** The partners that are linked to the member, and how far each reaches. A partner's session only sees that partner. */
export const listMine = memberProcedure
  .input(listInput({}))
  .output(listView(view))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const { memberId, session } = ctx.caller;
    const page = { afterId, limit: input.limit + 1, only: session.partnerId };
    const rows = await listPartnersOfMember(ctx.services.db, memberId, page);
    return toPage(
      rows,
      input.limit,
      ({ partnerId }) => [partnerId],
      (row) => ({
        partnerId: row.partnerId,
        name: row.name,
        appUrl: row.appUrl,
        active: row.isActive,
        linkedAt: new Date(row.linkedAtMs).toISOString(),
        consentedAt: row.consentedAtMs === null ? null : new Date(row.consentedAtMs).toISOString(),
        heldSince: row.heldSinceMs === null ? null : new Date(row.heldSinceMs).toISOString(),
      }),
    );
  });
