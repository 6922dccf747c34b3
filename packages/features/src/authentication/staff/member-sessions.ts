import { AppError } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { listSessions } from '@gatehouse/db/queries/list-sessions';
import { idCursor, listView, openCursor, pageInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import type { StaffContext } from '../../core/authority/require-authority.js';
import { lockSubject, requireAuthority } from '../../core/authority/require-authority.js';
import { FRESH } from '../../core/guard/freshness.js';
import { authTokenProcedure, procedure } from '../../core/guard/procedure.js';
import { memberView, toMemberView } from '../../core/member-view.js';
import { endEverySession, endOneSession } from '../session/end-sessions.js';
import { sessionRowView, toSessionRowView } from '../session/own-sessions.js';

/** The open sessions of a member, newest first. */
export const listFor = procedure({ who: 'staff', permission: 'member.manage', inAccounts: true })
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

/** Ends one session of a member, or all of them if none is named. */
export const endFor = procedure({ who: 'staff', permission: 'member.manage', inAccounts: true, fresh: FRESH })
  .meta({ about: { summary: 'End one or all sessions of a member', refuses: ['not_found'] } })
  .input(
    z.object({
      memberId: z.number().int().positive(),
      sessionId: z.number().int().positive().optional(),
    }),
  )
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId, sessionId } }) => {
    const hold = (tx: AccessTransaction, nowMs: number, authorized: StaffContext) =>
      lockSubject(authorized, tx, { memberId, nowMs }, MEMBER_NEEDS.endSessions);
    if (sessionId === undefined) {
      await endEverySession(ctx, memberId, hold);
      return { message: 'All sessions have ended' };
    }
    if (!(await endOneSession(ctx, { memberId, sessionId }, hold))) throw new AppError('not_found');
    return { message: 'The session has ended' };
  });

/** The member of staff an auth_token belongs to. */
export const byAuthToken = authTokenProcedure
  .output(z.object({ data: memberView }))
  .query(({ ctx }) => ({ data: toMemberView(ctx.staff, ctx.services.now()) }));
