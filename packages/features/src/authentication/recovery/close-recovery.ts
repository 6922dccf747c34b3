import { emailKey, timingSafeEqualText } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import { findMember } from '@gatehouse/db/queries/read-members';
import {
  endRecovery,
  endRecoverySessions,
  findOpenRecovery,
  type RecoveryRow,
} from '@gatehouse/db/queries/recoveries';
import { findFormerAddress } from '@gatehouse/db/queries/recovery-subject';
import type { RecoveryOutcome } from '@gatehouse/db/tables/factor-tables';
import { type AuditContext, recordAudit } from '../../audit/record-audit.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Services } from '../../core/context.js';
import { appLink } from '../../mail/app-link.js';
import type { RecoveryStage } from '../../mail/kinds/recovery.js';
import { queueMail } from '../../mail/queue-mail.js';
import { isOvertaken } from './recovery-times.js';

/** The token of a mailed link that cancels one recovery, as long as it is open. */
export function sealCancelToken({ cipher }: Pick<Services, 'cipher'>, recoveryId: number): string {
  return `${recoveryId}.${digestsOf(cipher, recoveryId)[0]}`;
}

/** The recovery that a token cancels; undefined for one that we did not make. */
export function openCancelToken({ cipher }: Pick<Services, 'cipher'>, token: string): number | undefined {
  const [, id = '', digest = ''] = /^([1-9][0-9]{0,14})\.([0-9a-f]{64})$/.exec(token) ?? [];
  const recoveryId = Number(id);
  const isOurs = digestsOf(cipher, recoveryId).some((known) => timingSafeEqualText(known, digest));
  return isOurs ? recoveryId : undefined;
}

function digestsOf(cipher: Services['cipher'], recoveryId: number): readonly [string, ...string[]] {
  return cipher.digests(String(recoveryId), 'recoveryCancel');
}

const WEEK_MS = 7 * 86_400_000;

/** Mails a member the progress of their recovery: to their address, and to the one they had a week before. */
export async function tellRecovery(
  tx: Database,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now'>,
  recovery: { id: number; memberId: number; openedAtMs: number; effectiveAtMs: number },
  stage: RecoveryStage,
): Promise<void> {
  const { id, memberId, openedAtMs, effectiveAtMs } = recovery;
  const { email = null } = (await findMember(tx, memberId)) ?? {};
  const former = await findFormerAddress(tx, { memberId, atMs: openedAtMs - WEEK_MS });
  const others = former !== undefined && (email === null || emailKey(former) !== emailKey(email));
  const link = appLink(services.config, 'recovery', sealCancelToken(services, id));
  const data = { stage, atMs: services.now(), effectiveAtMs, link };
  for (const to of [...(email === null ? [] : [email]), ...(others ? [former] : [])])
    await queueMail(tx, services, { kind: 'recovery', to, memberId, isFormer: to === former, data });
}

const STAGES: Readonly<Record<RecoveryOutcome, RecoveryStage>> = {
  canceled: 'canceled',
  signedIn: 'canceled',
  expired: 'expired',
  completed: 'completed',
};

/**
 * Ends a recovery, with its mails and its line of the audit log, in the caller's transaction. False when it has ended.
 * @param endedById who canceled it; null if nobody did
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

/**
 * Ends a recovery in which no factor was added, and the sessions that have its ticket. The caller has locked the member. False
 * when it has ended.
 * @param endedById who canceled it; null if nobody did
 */
export async function abandonRecovery(
  tx: AccessTransaction,
  context: AuditContext & { readonly services: Services },
  recovery: RecoveryRow,
  end: { outcome: Exclude<RecoveryOutcome, 'completed'>; endedById: number | null },
): Promise<boolean> {
  const { id: recoveryId, memberId } = recovery;
  if (!(await closeRecovery(tx, context, recovery, end))) return false;
  const { endedById } = end;
  await endRecoverySessions(tx, { memberId, recoveryId, endedById, nowMs: context.services.now() });
  return true;
}

/** Cancels the open recovery of a member if it no longer fits them, which is why its ticket was refused. */
export async function cancelOvertaken(services: Services, memberId: number): Promise<void> {
  await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    const nowMs = await readDatabaseTime(tx);
    await createLockedReader(tx, nowMs).lockMember(memberId, 'exclusive');
    const recovery = await findOpenRecovery(tx, memberId);
    if (recovery === undefined || !(await isOvertaken(tx, recovery, nowMs))) return;
    await abandonRecovery(tx, { services }, recovery, { outcome: 'canceled', endedById: null });
  });
  services.wakeups.wake('mail');
}
