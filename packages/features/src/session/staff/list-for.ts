import { listSessions } from '@gatehouse/db';
import { staffScopedProcedure } from '@gatehouse/features/app/procedures';
import { sessionRowView, toSessionRowView } from '@gatehouse/features/session/session-view';
import { idCursor, listView, openCursor, pageInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { requireAuthority } from '../../authority/require-authority.js';

/** The open sessions of a member, newest first. */
export const listFor = staffScopedProcedure('member.manage')
  .meta({ about: { summary: "List a member's sessions", refuses: ['not_found'] } })
  .input(z.object({ memberId: z.number().int().positive(), ...pageInput }))
  .output(listView(sessionRowView))
  .query(async ({ ctx, input: { memberId, limit, cursor } }) => {
    await requireAuthority(ctx, memberId, { permission: 'member.manage', need: 'mayServe' });
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const rows = await listSessions(ctx.kit.db, memberId, {
      nowMs: ctx.kit.now(),
      limit: limit + 1,
      ...(beforeId === undefined ? {} : { beforeId }),
    });
    const view = (row: (typeof rows)[number]) => toSessionRowView(row, ctx.caller.session.tokenKey);
    return toPage(rows, limit, (row) => [row.id], view);
  });
