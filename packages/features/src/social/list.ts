import { findMemberAddress, isYoungerThanPassword, listConnections } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { inPersonProcedure } from '../core/guard/procedures.js';
import { connectionView, toConnectionView } from './connection-view.js';

/** A connection, and whether it was made since the password was set: `password.change` offers to end those. */
const ownConnectionView = connectionView.extend({ isYoungerThanPassword: z.boolean() });

/** The caller's connections, oldest first. */
export const list = inPersonProcedure
  .input(listInput({}))
  .output(listView(ownConnectionView))
  .query(async ({ ctx, input }) => {
    const nowMs = ctx.services.now();
    const { passwordChangedAtMs } = (await findMemberAddress(ctx.services.db, ctx.caller.memberId)) ?? {};
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listConnections(ctx.services.db, ctx.caller.memberId, {
      afterId,
      limit: input.limit + 1,
    });
    return toPage(
      rows,
      input.limit,
      (row) => [row.id],
      (row) => ({
        ...toConnectionView(row, nowMs),
        isYoungerThanPassword: isYoungerThanPassword(row.createdAtMs, passwordChangedAtMs),
      }),
    );
  });
