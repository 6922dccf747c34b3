import { AppError } from '@gatehouse/auth-core';
import { consumeRecoveryTicket, findRecovery, findRecoveryByTicket, readDatabaseTime } from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import { recordRefusal } from '../../audit/security-event/record-refusal.js';
import type { CheckedProof } from '../../core/app/checked-proof.js';
import type { Context } from '../../core/app/context.js';
import { clearStepLimits } from '../../core/app/step-limits.js';
import { cancelOvertaken } from './cancel-overtaken.js';
import { isOvertaken } from './recovery-times.js';
import { ticketDigests } from './ticket.js';

/** A right ticket, and the recovery it is of. */
export interface CheckedTicket extends CheckedProof {
  readonly recoveryId: number;
}

/**
 * Compares the ticket of a recovery, which opens the adding of a second factor: in place of the second step of a
 * sign-in, or in the session of a sign-in that asked for none. The database's clock says whether it has expired. Nothing
 * is counted: a ticket has 256 bits.
 * @throws {AppError} `invalid_credentials` for a wrong, used or expired one, or where a partner began the sign-in
 */
export async function checkRecoveryTicket(
  ctx: Context,
  { memberId, partnerId }: { memberId: number; partnerId: number | null },
  ticket: string,
): Promise<CheckedTicket> {
  const { services, call } = ctx;
  const digests = ticketDigests(services, memberId, ticket);
  const nowMs = await readDatabaseTime(services.db);
  const recoveryId = await findRecoveryByTicket(services.db, { memberId, digests, nowMs });
  if (recoveryId === undefined || partnerId !== null) {
    const { requestId, address } = call;
    services.log.security({ event: 'login.failed', requestId, address, memberId, reason: 'recovery' });
    await recordRefusal(ctx, { memberId, login: '', outcome: 'failed' });
    throw new AppError('invalid_credentials', { sent: 'code' });
  }
  return {
    recoveryId,
    methods: [],
    async consume(tx, atMs) {
      const usedAtMs = await readDatabaseTime(tx);
      const recovery = await findRecovery(tx, recoveryId);
      const isRight = recovery !== undefined && !(await isOvertaken(tx, recovery, usedAtMs));
      if (!isRight || !(await consumeRecoveryTicket(tx, { memberId, digests, nowMs: usedAtMs })))
        throw new AppError('invalid_credentials', { sent: 'code' });
      // A lock of the lost app would keep the new one out.
      await clearStepLimits(services, tx, memberId);
      await recordAudit(tx, ctx, {
        atMs,
        action: 'recovery.ticket-used',
        actorId: memberId,
        subjectKind: 'recovery',
        subjectId: recoveryId,
      });
    },
    succeed: async () => undefined,
    afterRefusal: () => cancelOvertaken(services, memberId),
  };
}
