import { AppError, randomToken } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import { findMember } from '@gatehouse/db/queries/read-members';
import {
  consumeRecoveryTicket,
  findRecovery,
  findRecoveryByTicket,
  listDueRecoveries,
  listOverRecoveries,
  type RecoveryRow,
  setRecoveryTicket,
} from '@gatehouse/db/queries/recoveries';
import { removeFormerAddresses } from '@gatehouse/db/queries/recovery-subject';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { recordAudit } from '../../audit/record-audit.js';
import { recordRefusal } from '../../audit/security-events.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Context, Services } from '../../core/context.js';
import type { CheckedProof } from '../../core/guard/authentication-methods.js';
import { clearStepLimits } from '../../core/rate-limit/step-limits.js';
import { queueMail } from '../../mail/queue-mail.js';
import { abandonRecovery, cancelOvertaken, closeRecovery, tellRecovery } from './close-recovery.js';
import { isOvertaken } from './recovery-times.js';

/** The stored form of a ticket, under the current data key and each previous one. */
export function ticketDigests(
  { cipher }: Pick<Services, 'cipher'>,
  memberId: number,
  ticket: string,
): readonly [string, ...string[]] {
  return cipher.digests(ticket, `recoveryTicket:${memberId}`);
}

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

const DAY_MS = 86_400_000;
const TICKET_MS = DAY_MS;

/** For how long after its wait a recovery may still be approved. */
const APPROVAL_MS = 7 * DAY_MS;

/** A recovery lasts for two weeks at most, and looks back for one. */
const ADDRESSES_MS = 30 * DAY_MS;
const AT_ONCE = 100;

/** Mails the tickets of recoveries whose wait is over, by the database's clock, and ends those that nobody used. */
export const recoveryTickets: Job<Services> = {
  name: 'recovery-tickets',
  everyMs: 60_000,
  async run(services) {
    const { db } = services;
    const byMs = await readDatabaseTime(db);
    const due = await listDueRecoveries(db, { byMs, limit: AT_ONCE });
    for (const recovery of due) await makeTicket(services, recovery);
    const over = await listOverRecoveries(db, {
      byMs,
      unapprovedBeforeMs: byMs - APPROVAL_MS,
      limit: AT_ONCE,
    });
    for (const recovery of over) await expire(services, recovery);
    const changed = due.length + over.length;
    if (changed > 0) services.wakeups.wake('mail');
    return changed + (await removeFormerAddresses(db, { beforeMs: byMs - ADDRESSES_MS, limit: AT_ONCE }));
  },
};

async function expire(services: Services, recovery: RecoveryRow): Promise<void> {
  const { memberId } = recovery;
  await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    await createLockedReader(tx, services.now()).lockMember(memberId, 'exclusive');
    await abandonRecovery(tx, { services }, recovery, { outcome: 'expired', endedById: null });
  });
}

/** One node makes the ticket. There is none if the member has changed since the opening. */
async function makeTicket(services: Services, recovery: RecoveryRow): Promise<void> {
  const { id: recoveryId, memberId } = recovery;
  await services.db.transaction(async (tx) => {
    const nowMs = await readDatabaseTime(tx);
    await createLockedReader(tx, nowMs).lockMember(memberId, 'exclusive');
    const member = await findMember(tx, memberId);
    const to = member?.email ?? null;
    if (to === null || (await isOvertaken(tx, recovery, nowMs))) {
      await closeRecovery(tx, { services }, recovery, { outcome: 'canceled', endedById: null });
      return;
    }
    const ticket = randomToken();
    const [digest] = ticketDigests(services, memberId, ticket);
    const expiresAtMs = nowMs + TICKET_MS;
    if (!(await setRecoveryTicket(tx, { recoveryId, digest, expiresAtMs }))) return;
    const data = { ticket, expiresAtMs };
    await queueMail(tx, services, { kind: 'recoveryTicket', to, memberId, data });
    await tellRecovery(tx, services, recovery, 'ticket');
    await recordAudit(
      tx,
      { services },
      {
        atMs: services.now(),
        action: 'recovery.ticket-sent',
        actorId: null,
        onBehalfOfId: memberId,
        subjectKind: 'recovery',
        subjectId: recoveryId,
      },
    );
  });
}
