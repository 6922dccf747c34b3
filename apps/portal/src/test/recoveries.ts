import { randomToken } from '@gatehouse/auth-core';
import { findOpenRecovery, insertRecovery, setRecoveryTicket } from '@gatehouse/db/queries/recoveries';
import { ticketDigests } from '@gatehouse/features/authentication/recovery/recovery-tickets';
import type { OpenPortal } from './open-portal.js';

const HOUR_MS = 3_600_000;

/** A recovery whose wait is over, and its ticket. */
export async function openRecovery({ service }: OpenPortal, memberId: number) {
  const { database: db, services } = service;
  const nowMs = Date.now();
  await insertRecovery(db, {
    memberId,
    openedById: 1,
    reason: 'The phone fell into the sea',
    needsApproval: false,
    openedAtMs: nowMs - 25 * HOUR_MS,
    effectiveAtMs: nowMs - HOUR_MS,
  });
  const recoveryId = (await findOpenRecovery(db, memberId))?.id ?? 0;
  const ticket = randomToken();
  const [digest] = ticketDigests(services, memberId, ticket);
  await setRecoveryTicket(db, { recoveryId, digest, expiresAtMs: nowMs + HOUR_MS });
  return { ticket, recoveryId };
}
