import { listMemberNames, listRecoveries } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { personName } from '../../../core/app/person-name.js';
import { rootProcedure } from '../../../core/app/procedures.js';

const person = z.object({ userId: z.int(), name: z.string() });
const instant = z.iso.datetime().nullable();

/** Recoveries, newest first. */
export const list = rootProcedure
  .meta({ about: { summary: 'List recoveries of members who lost every second factor' } })
  .input(listInput({ memberId: z.int().positive().optional() }))
  .output(
    listView(
      z.object({
        id: z.int(),
        member: person,
        openedBy: person,
        reason: z.string(),
        openedAt: z.iso.datetime(),
        effectiveAt: z.iso.datetime(),
        needsApproval: z.boolean(),
        approvedBy: person.nullable(),
        approvedAt: instant,
        ticketExpiresAt: instant,
        ticketUsedAt: instant,
        endedAt: instant,
        /** How it ended; null while it is open. */
        outcome: z.enum(['canceled', 'signedIn', 'expired', 'completed']).nullable(),
      }),
    ),
  )
  .query(async ({ ctx, input: { limit, cursor, ...filter } }) => {
    const { db } = ctx.services;
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const found = await listRecoveries(db, filter, { limit: limit + 1, beforeId });
    const ids = found.flatMap(({ memberId, openedById, approvedById }) => [
      memberId,
      openedById,
      ...(approvedById === null ? [] : [approvedById]),
    ]);
    const named = await listMemberNames(db, [...new Set(ids)]);
    const names = new Map(named.map((row) => [row.id, personName(row)]));
    const personOf = (userId: number) => ({ userId, name: names.get(userId) ?? '' });
    return toPage(
      found,
      limit,
      (row) => [row.id],
      (row) => ({
        id: row.id,
        member: personOf(row.memberId),
        openedBy: personOf(row.openedById),
        reason: row.reason,
        openedAt: new Date(row.openedAtMs).toISOString(),
        effectiveAt: new Date(row.effectiveAtMs).toISOString(),
        needsApproval: row.needsApproval,
        approvedBy: row.approvedById === null ? null : personOf(row.approvedById),
        approvedAt: isoOrNull(row.approvedAtMs),
        ticketExpiresAt: isoOrNull(row.ticketExpiresAtMs),
        ticketUsedAt: isoOrNull(row.ticketUsedAtMs),
        endedAt: isoOrNull(row.endedAtMs),
        outcome: row.outcome,
      }),
    );
  });

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
