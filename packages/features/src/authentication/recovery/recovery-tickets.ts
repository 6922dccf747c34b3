import { randomToken } from '@gatehouse/auth-core';
import {
  changeAccess,
  findMember,
  listDueRecoveries,
  listOverRecoveries,
  type RecoveryRow,
  readDatabaseTime,
  removeFormerAddresses,
  setRecoveryTicket,
} from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { recordAudit } from '../../audit/record-audit.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Services } from '../../core/app/services.js';
import { queueMail } from '../../mail/queue-mail.js';
import { abandonRecovery } from './abandon-recovery.js';
import { closeRecovery } from './close-recovery.js';
import { isOvertaken } from './recovery-times.js';
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

/** One node makes the ticket. There is none if something has happened to the member since the opening. */
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
