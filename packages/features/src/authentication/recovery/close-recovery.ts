import { type Database, endRecovery, type RecoveryOutcome, type RecoveryRow } from '@gatehouse/db';
import type { AuditContext } from '../../audit/record-audit.js';
import { recordAudit } from '../../audit/record-audit.js';
import type { Services } from '../../core/app/services.js';
import type { RecoveryStage } from '../../mail/kinds/recovery.js';
import { tellRecovery } from './tell-recovery.js';

const STAGES: Readonly<Record<RecoveryOutcome, RecoveryStage>> = {
  canceled: 'canceled',
  signedIn: 'canceled',
  expired: 'expired',
  completed: 'completed',
};

/**
 * Ends a recovery, with its mails and its line of the audit log, in the caller's transaction. False when it has ended.
 * @param endedById who canceled it; null where nobody did
 */
export async function closeRecovery(
  tx: Database,
  context: AuditContext & { readonly services: Services },
  recovery: RecoveryRow,
  { outcome, endedById }: { outcome: RecoveryOutcome; endedById: number | null },
): Promise<boolean> {
  const { services } = context;
  const { id: recoveryId, memberId } = recovery;
  const nowMs = services.now();
  if (!(await endRecovery(tx, { recoveryId, outcome, endedById, nowMs }))) return false;
  await tellRecovery(tx, services, recovery, STAGES[outcome]);
  await recordAudit(tx, context, {
    atMs: nowMs,
    action: `recovery.${outcome === 'signedIn' ? 'canceled' : outcome}`,
    actorId: endedById,
    onBehalfOfId: memberId,
    subjectKind: 'recovery',
    subjectId: recoveryId,
    after: { outcome },
  });
  return true;
}
