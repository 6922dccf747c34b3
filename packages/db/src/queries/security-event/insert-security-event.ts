import type { Database } from '../../database.js';
import { storableBeginning } from '../../storable-beginning.js';
import { LONGEST_DEVICE } from '../../tables/sessions.js';

/** A security event of a member. */
export interface NewSecurityEvent {
  memberId: number;
  atMs: number;
  /** The kind, as `password.changed`. */
  kind: string;
  address: string | null;
  device: string | null;
  actorId: number | null;
}

/** Adds an event, in the transaction of its cause. */
export async function insertSecurityEvent(tx: Database, event: NewSecurityEvent): Promise<void> {
  const device = event.device === null ? null : storableBeginning(event.device, LONGEST_DEVICE);
  await tx.insert(tx.tables.securityEvents, {
    ...event,
    device,
    outcome: 'ok',
    // Nothing else is counted.
    isCounted: event.kind !== 'login',
  });
}
