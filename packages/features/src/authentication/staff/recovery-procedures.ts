import { AppError } from '@gatehouse/auth-core';
import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import { findMember, listMemberNames } from '@gatehouse/db/queries/read-members';
import {
  approveRecovery,
  countRecoveriesSince,
  findOpenRecovery,
  findRecovery,
  insertRecovery,
  listRecoveries,
} from '@gatehouse/db/queries/recoveries';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { change, changeAndRecord } from '../../audit/change.js';
import { FRESH } from '../../core/guard/freshness.js';
import { procedure } from '../../core/guard/procedure.js';
import { personName } from '../../core/member-view.js';
import { abandonRecovery, tellRecovery } from '../recovery/close-recovery.js';
import { recoveryTimes } from '../recovery/recovery-times.js';

const DAY_MS = 86_400_000;
const MAX_A_DAY = 5;

/**
 * Opens the recovery of a member who lost every second factor. The member gets a mail at once, can cancel the recovery, and gets a
 * ticket by mail after the wait. A recovery that is already open stays unchanged.
 */
const open = procedure({ who: 'root', fresh: FRESH })
  .meta({
    about: {
      summary: 'Open the recovery of a member who lost every second factor',
      refuses: ['not_found', 'unconfirmed', 'rate_limited'],
    },
  })
  .input(z.object({ memberId: z.int().positive(), reason: z.string().trim().min(10).max(500) }))
  .output(
    z.object({
      message: z.string(),
      data: z.object({
        recoveryId: z.int(),
        effectiveAt: z.iso.datetime(),
        /** Whether another member of staff has to agree. */
        needsApproval: z.boolean(),
      }),
    }),
  )
  .mutation(async ({ ctx, input: { memberId, reason } }) => {
    const { services } = ctx;
    const openedById = ctx.caller.memberId;
    if (memberId === openedById) throw new AppError('permission_denied');
    const result = await changeAndRecord(
      ctx,
      { lock: { members: [memberId, openedById] } },
      async ({ tx }) => {
        const member = await findMember(tx, memberId);
        const nowMs = await readDatabaseTime(tx);
        if (!member || !isActiveAt(member, nowMs)) throw new AppError('not_found');
        if (member.email === null || member.emailConfirmedAtMs === null) throw new AppError('unconfirmed');
        const known = await findOpenRecovery(tx, memberId);
        if (known) return { result: known, record: undefined };
        if ((await countRecoveriesSince(tx, { openedById }, nowMs - DAY_MS)) >= MAX_A_DAY) throw tooMany();
        const { isPersonnel } = member;
        const times = await recoveryTimes(tx, { memberId, isPersonnel, nowMs });
        await insertRecovery(tx, { memberId, openedById, reason, openedAtMs: nowMs, ...times });
        const opened = await findOpenRecovery(tx, memberId);
        if (!opened) throw new AppError('unavailable', { retryAfterSeconds: 1 });
        await tellRecovery(tx, services, opened, 'opened');
        return {
          result: opened,
          record: {
            action: 'recovery.opened',
            onBehalfOfId: memberId,
            subjectKind: 'recovery',
            subjectId: opened.id,
            before: null,
            after: { reason, effectiveAt: new Date(opened.effectiveAtMs).toISOString() },
          },
        };
      },
    );
    services.wakeups.wake('mail');
    const effectiveAt = new Date(result.effectiveAtMs).toISOString();
    return {
      message: 'The member has been notified and can cancel the recovery',
      data: { recoveryId: result.id, effectiveAt, needsApproval: result.needsApproval },
    };
  });

function tooMany(): AppError {
  const policy = { name: 'recovery', quota: MAX_A_DAY, windowSeconds: DAY_MS / 1000 };
  return new AppError('rate_limited', { retryAfterSeconds: 3600, policy });
}

/** Agrees to a recovery that somebody else opened and that needs it. Nobody approves their own. */
const approve = procedure({ who: 'root', fresh: FRESH })
  .meta({
    about: { summary: 'Agree to a recovery that another member of staff opened', refuses: ['not_found'] },
  })
  .input(z.object({ recoveryId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { recoveryId } }) => {
    const approvedById = ctx.caller.memberId;
    const found = await findRecovery(ctx.services.db, recoveryId);
    if (!found) throw new AppError('not_found');
    const { memberId, openedById } = found;
    if ([openedById, memberId].includes(approvedById)) throw new AppError('permission_denied');
    return changeAndRecord(ctx, { lock: { members: [memberId, approvedById] } }, async ({ tx, nowMs }) => {
      const isApproved = await approveRecovery(tx, { recoveryId, approvedById, nowMs });
      const now = isApproved ? undefined : await findRecovery(tx, recoveryId);
      if (now?.endedAtMs !== undefined && now.endedAtMs !== null) throw new AppError('not_found');
      return {
        result: { message: 'The recovery continues after its waiting period' },
        record: isApproved
          ? {
              action: 'recovery.approved',
              onBehalfOfId: memberId,
              subjectKind: 'recovery',
              subjectId: recoveryId,
              before: null,
              after: null,
            }
          : undefined,
      };
    });
  });

/** Cancels a recovery that is open. */
const cancel = procedure({ who: 'root' })
  .meta({ about: { summary: 'Cancel a recovery', refuses: ['not_found'] } })
  .input(z.object({ recoveryId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { recoveryId } }) => {
    const { services } = ctx;
    const endedById = ctx.caller.memberId;
    const found = await findRecovery(services.db, recoveryId);
    if (!found) throw new AppError('not_found');
    await change(
      ctx,
      { announce: { members: [found.memberId] }, lock: { members: [endedById] } },
      async ({ tx }) => {
        if (!(await abandonRecovery(tx, ctx, found, { outcome: 'canceled', endedById })))
          throw new AppError('not_found');
      },
    );
    services.wakeups.wake('mail');
    return { message: 'The recovery is canceled' };
  });

const person = z.object({ userId: z.int(), name: z.string() });
const instant = z.iso.datetime().nullable();

/** Recoveries, newest first. */
const list = procedure({ who: 'root' })
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

/** How staff of base role 0 let members back in who lost every second factor. */
export const recoveryProcedures = { approve, cancel, list, open };
