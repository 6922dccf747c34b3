import { AppError } from '@gatehouse/auth-core';
import { changeAccess, findNewestPartnerSecret, removePartnerSecrets, setPartner } from '@gatehouse/db';
import { recordAudit } from '../audit/record-audit.js';
import type { PartnerChange } from './partner-change.js';

/**
 * Ends a rotation early: only the newest secret works, and tokens of the other end with it. Returns whether a
 * rotation was in progress.
 * @throws {AppError} `not_found`
 */
export async function finishPartnerRotation(change: PartnerChange, partnerId: number): Promise<boolean> {
  const { db, nowMs, actorId } = change;
  return changeAccess(db, { partners: [partnerId] }, async (tx) => {
    if (!(await setPartner(tx, { partnerId, nowMs }))) throw new AppError('not_found');
    const newest = await findNewestPartnerSecret(tx, partnerId, nowMs);
    const removed = await removePartnerSecrets(tx, { partnerId, exceptId: newest?.id });
    if (removed === 0) return false;
    const entry = { action: 'partner.rotation_finished', subjectKind: 'partner', subjectId: partnerId };
    await recordAudit(tx, change, {
      atMs: nowMs,
      actorId,
      ...entry,
      after: { secretId: newest?.id ?? null },
    });
    return true;
  });
}
