import { findMember } from '@gatehouse/db/queries/read-members';
import { listSecurityEvents } from '@gatehouse/db/queries/security-event-log';
import { idCursor, listView, openCursor, pageInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { requireSight } from '../../core/authority/require-authority.js';
import { procedure } from '../../core/guard/procedure.js';
import { securityEventView, toSecurityEventView } from '../security-events.js';

/** What happened to a member's security within 90 days, newest first. */
export const listSecurityEventsOf = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
  .meta({ about: { summary: "List what happened to a member's security", refuses: ['not_found'] } })
  .input(z.object({ memberId: z.number().int().positive(), ...pageInput }))
  .output(listView(securityEventView))
  .query(async ({ ctx, input: { memberId, limit, cursor } }) => {
    const { db } = ctx.services;
    await requireSight(db, ctx.scope, await findMember(db, memberId));
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const rows = await listSecurityEvents(db, memberId, { limit: limit + 1, beforeId });
    return toPage(
      rows,
      limit,
      (row) => [row.id],
      (row) => toSecurityEventView(row, memberId),
    );
  });
