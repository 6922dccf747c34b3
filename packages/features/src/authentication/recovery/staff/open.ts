import { AppError } from '@gatehouse/auth-core';
import {
  countRecoveriesSince,
  findMember,
  findOpenRecovery,
  insertRecovery,
  isActiveAt,
  readDatabaseTime,
} from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../../audit/make-change.js';
import { freshRootProcedure } from '../../../core/app/procedures.js';
import { recoveryTimes } from '../recovery-times.js';
import { tellRecovery } from '../tell-recovery.js';

const DAY_MS = 86_400_000;
const MOST_A_DAY = 5;

/**
 * Opens the recovery of a member who lost every second factor. The member is told at once, can cancel it, and gets a ticket
 * by mail after the wait. One that is open already stays as it is.
 */
export const open = freshRootProcedure
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
    const result = await makeChange(ctx, { concerns: [memberId, openedById] }, async (tx) => {
      const member = await findMember(tx, memberId);
      const nowMs = await readDatabaseTime(tx);
      if (!member || !isActiveAt(member, nowMs)) throw new AppError('not_found');
      if (member.email === null || member.emailConfirmedAtMs === null) throw new AppError('unconfirmed');
      const known = await findOpenRecovery(tx, memberId);
      if (known) return { result: known, record: undefined };
      if ((await countRecoveriesSince(tx, { openedById }, nowMs - DAY_MS)) >= MOST_A_DAY) throw tooMany();
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
    });
    services.wakeups.wake('mail');
    const effectiveAt = new Date(result.effectiveAtMs).toISOString();
    return {
      message: 'The member is told, and can cancel it',
      data: { recoveryId: result.id, effectiveAt, needsApproval: result.needsApproval },
    };
  });

function tooMany(): AppError {
  const policy = { name: 'recovery', quota: MOST_A_DAY, windowSeconds: DAY_MS / 1000 };
  return new AppError('rate_limited', { retryAfterSeconds: 3600, policy });
}
