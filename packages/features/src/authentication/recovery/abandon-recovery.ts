import {
  type AccessTransaction,
  endRecoverySessions,
  type RecoveryOutcome,
  type RecoveryRow,
} from '@gatehouse/db';
import type { AuditContext } from '../../audit/record-audit.js';
import type { Services } from '../../core/app/services.js';
import { closeRecovery } from './close-recovery.js';

/**
 * Ends a recovery in which no factor was added, and the sessions that have its ticket. The caller has locked the member.
 * False when it has ended.
 * @param endedById who canceled it; null where nobody did
 */
export async function abandonRecovery(
  tx: AccessTransaction,
  context: AuditContext & { readonly services: Services },
  recovery: RecoveryRow,
  end: { outcome: Exclude<RecoveryOutcome, 'completed'>; endedById: number | null },
): Promise<boolean> {
  const { id: recoveryId, memberId } = recovery;
  if (!(await closeRecovery(tx, context, recovery, end))) return false;
  await endRecoverySessions(tx, { memberId, recoveryId, nowMs: context.services.now() });
  return true;
}
