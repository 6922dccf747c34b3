import { listGrantsOfStaff, listPersonnel } from '@gatehouse/db';
import { idCursor, listView, openCursor, searchInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { peopleSearch } from '../../../member/staff/people-search.js';
import { personnelView, toPersonnelView } from './personnel-view.js';

/**
 * Staff with their grants, those who were switched off among them. Who does not reach all accounts sees themselves and those with
 * a grant that is theirs too, and of the grants only these.
 */
export const list = staffScopedProcedure('personnel.read')
  .meta({ about: { summary: 'List staff with their grants' } })
  .input(searchInput)
  .output(listView(personnelView.extend({ lastLoginAt: z.iso.datetime().nullable() })))
  .query(async ({ ctx, input: { search, limit, cursor } }) => {
    const { db, now } = ctx.services;
    const nowMs = now();
    const [afterId] = openCursor(cursor, idCursor) ?? [0];
    const page = { askerId: ctx.caller.memberId, afterId, limit: limit + 1 };
    const rows = await listPersonnel(db, ctx.scope, { ...page, ...peopleSearch(search) });
    const grants = await listGrantsOfStaff(
      db,
      ctx.scope,
      rows.slice(0, limit).map(({ id }) => id),
    );
    return toPage(
      rows,
      limit,
      (row) => [row.id],
      (row) => ({
        lastLoginAt: row.lastLoginAtMs === null ? null : new Date(row.lastLoginAtMs).toISOString(),
        ...toPersonnelView(
          row,
          grants.filter(({ personnelId }) => personnelId === row.id),
          nowMs,
        ),
      }),
    );
  });
