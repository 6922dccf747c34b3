import { listSessions } from '@gatehouse/db';
import { idCursor, listView, openCursor, pageInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../../core/app/procedures.js';
import { MEMBER_NEEDS } from '../../../core/authority/member-needs.js';
import { requireAuthority } from '../../../core/authority/require-authority.js';
import { sessionRowView, toSessionRowView } from '../session-view.js';

/** The open sessions of a member, newest first. */
export const listFor = staffScopedProcedure('member.manage')
  .meta({ about: { summary: "List a member's sessions", refuses: ['not_found'] } })
  .input(z.object({ memberId: z.number().int().positive(), ...pageInput }))
  .output(listView(sessionRowView))
  .query(async ({ ctx, input: { memberId, limit, cursor } }) => {
    await requireAuthority(ctx, memberId, MEMBER_NEEDS.seeSessions);
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const rows = await listSessions(ctx.services.db, memberId, {
      nowMs: ctx.services.now(),
      limit: limit + 1,
      ...(beforeId === undefined ? {} : { beforeId }),
    });
    const view = (row: (typeof rows)[number]) => toSessionRowView(row, ctx.caller.session);
    return toPage(rows, limit, (row) => [row.id], view);
  });
