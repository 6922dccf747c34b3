import { randomToken } from '@gatehouse/auth-core';
import {
  changeAccess,
  findFormerAddress,
  findMember,
  isActiveAt,
  listDueRecoveries,
  listOverRecoveries,
  type RecoveryRow,
  readDatabaseTime,
  removeFormerAddresses,
  setRecoveryTicket,
} from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { createLockedReader } from '../access/create-locked-reader.js';
import type { Services } from '../app/services.js';
import { recordAudit } from '../audit/record-audit.js';
import { queueMail } from '../mail/queue-mail.js';
import { abandonRecovery } from './abandon-recovery.js';
import { closeRecovery } from './close-recovery.js';
import { tellRecovery } from './tell-recovery.js';
import { ticketDigests } from './ticket.js';

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

/** One node makes the ticket. A member who is gone, or whose address is another since the opening, gets none. */
async function makeTicket(services: Services, recovery: RecoveryRow): Promise<void> {
  const { id: recoveryId, memberId, openedAtMs } = recovery;
  await services.db.transaction(async (tx) => {
    const nowMs = await readDatabaseTime(tx);
    await createLockedReader(tx, nowMs).lockMember(memberId, 'exclusive');
    const member = await findMember(tx, memberId);
    const isChanged = (await findFormerAddress(tx, { memberId, atMs: openedAtMs })) !== undefined;
    const isConfirmed = member !== undefined && member.emailConfirmedAtMs !== null;
    const isSame = isConfirmed && !isChanged && isActiveAt(member, nowMs);
    if (!isSame || member.email === null) {
      await closeRecovery(tx, { services }, recovery, { outcome: 'canceled', endedById: null });
      return;
    }
    const ticket = randomToken();
    const [digest] = ticketDigests(services, memberId, ticket);
    const expiresAtMs = nowMs + TICKET_MS;
    if (!(await setRecoveryTicket(tx, { recoveryId, digest, expiresAtMs }))) return;
    const data = { ticket, expiresAtMs };
    await queueMail(tx, services, { kind: 'recoveryTicket', to: member.email, memberId, data });
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
