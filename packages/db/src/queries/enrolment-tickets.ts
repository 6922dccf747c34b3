import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '../database.js';

/** A ticket that lets a member add a factor. */
export interface NewEnrolmentTicket {
  /** The digest of the ticket. */
  ticketKey: string;
  memberId: number;
  nowMs: number;
  expiresAtMs: number;
}

/** Stores a new ticket of a member, which ends the earlier ones. */
export async function insertEnrolmentTicket(
  tx: Database,
  { nowMs, ...ticket }: NewEnrolmentTicket,
): Promise<void> {
  await endEnrolmentTickets(tx, { memberId: ticket.memberId, nowMs });
  await tx.insert(tx.tables.enrolmentTickets, { ...ticket, createdAtMs: nowMs });
}

/** Ends the open tickets of a member. */
export async function endEnrolmentTickets(
  tx: Database,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const { enrolmentTickets } = tx.tables;
  const { usedAtMs } = enrolmentTickets;
  const isOpen = and(eq(enrolmentTickets.memberId, memberId), isNull(usedAtMs));
  await tx.write(tx.update(enrolmentTickets).set({ usedAtMs: nowMs }).where(isOpen));
}

/** The open ticket with this digest; it says whose it is. */
export async function findEnrolmentTicket(
  db: Database,
  { ticketKey, nowMs }: { ticketKey: string; nowMs: number },
): Promise<{ memberId: number } | undefined> {
  const { enrolmentTickets } = db.tables;
  const { memberId } = enrolmentTickets;
  const [ticket] = await db
    .select({ memberId })
    .from(enrolmentTickets)
    .where(isOpenTicket(db, ticketKey, nowMs));
  return ticket;
}

/** Uses up a ticket of a member. True for one of any number of attempts. */
export async function consumeEnrolmentTicket(
  tx: Database,
  { ticketKey, memberId, nowMs }: { ticketKey: string; memberId: number; nowMs: number },
): Promise<boolean> {
  const { enrolmentTickets } = tx.tables;
  const isTheirs = and(isOpenTicket(tx, ticketKey, nowMs), eq(enrolmentTickets.memberId, memberId));
  const rows = await tx.write(tx.update(enrolmentTickets).set({ usedAtMs: nowMs }).where(isTheirs));
  return rows === 1;
}

function isOpenTicket({ tables }: Database, ticketKey: string, nowMs: number) {
  const { enrolmentTickets } = tables;
  return and(
    eq(enrolmentTickets.ticketKey, ticketKey),
    isNull(enrolmentTickets.usedAtMs),
    gt(enrolmentTickets.expiresAtMs, nowMs),
  );
}
