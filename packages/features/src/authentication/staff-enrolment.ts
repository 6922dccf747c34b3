import { randomToken, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { setAuthToken } from '@gatehouse/db/queries/change-session';
import { endEnrolmentTickets, insertEnrolmentTicket } from '@gatehouse/db/queries/enrolment-tickets';
import { setMemberFactors } from '@gatehouse/db/queries/member-factors';
import { removePasskeysOf } from '@gatehouse/db/queries/member-passkeys';
import { listRootStaff } from '@gatehouse/db/queries/personnel';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { removeBackupCodes, removeTotp } from '@gatehouse/db/queries/second-factors';
import { type AuditContext, recordAudit } from '../audit/record-audit.js';
import { writeMail } from '../mail/queue-mail.js';

/** How long a ticket is valid. */
export const TICKET_HOURS = 24;

/** Who gets a ticket. */
interface TicketHolder {
  readonly memberId: number;
  readonly email: string;
  /** Whether their earlier factors and sessions ended with it. */
  readonly endsFactors: boolean;
}

/**
 * Makes a one-use ticket with which a member of staff adds their first factor, in the transaction of the caller. The audit
 * log has a line, and a mail tells everybody of base role 0.
 * @returns the ticket, of which only a digest is kept
 */
export async function printTicket(
  tx: Database,
  context: AuditContext,
  { memberId, email, endsFactors }: TicketHolder,
): Promise<string> {
  const { services } = context;
  const nowMs = services.now();
  const ticket = randomToken();
  const expiresAtMs = nowMs + TICKET_HOURS * 3_600_000;
  await insertEnrolmentTicket(tx, { ticketKey: sha256Hex(ticket), memberId, nowMs, expiresAtMs });
  await recordAudit(tx, context, {
    atMs: nowMs,
    action: 'factor.ticket-printed',
    actorId: null,
    onBehalfOfId: memberId,
    subjectKind: 'member',
    subjectId: memberId,
    after: { expiresAt: new Date(expiresAtMs).toISOString(), endsFactors },
  });
  for (const root of await listRootStaff(tx)) {
    if (root.email === null) continue;
    const data = { email, atMs: nowMs, endsFactors };
    await writeMail(tx, services, { kind: 'staffTicketIssued', to: root.email, memberId: root.id, data });
  }
  return ticket;
}

/**
 * Ends every factor and session of a member, and their auth_token. Their sign-ins take one step until they add a factor.
 */
export async function endFactors(
  tx: AccessTransaction,
  { memberId, actorId, nowMs }: { memberId: number; actorId: number | null; nowMs: number },
): Promise<void> {
  await removeTotp(tx, memberId);
  await removeBackupCodes(tx, memberId);
  await removePasskeysOf(tx, memberId);
  await endEnrolmentTickets(tx, { memberId, nowMs });
  await setMemberFactors(tx, memberId, { nowMs, secondFactor: false, emailStep: false });
  await endAllSessions(tx, memberId, { nowMs, reason: 'factor_changed', endedById: actorId });
  await setAuthToken(tx, { memberId, token: null, nowMs });
}
