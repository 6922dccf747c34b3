import { AppError } from '@gatehouse/auth-core';
import { changeAccess, deactivatePartner, findPartner } from '@gatehouse/db';
import { recordAudit } from '../audit/record-audit.js';
import type { PartnerChange } from './partner-change.js';

/**
 * Deactivates a partner. From the next call on, on every node, its secrets, tokens, login URLs and the sessions
 * it began are invalid. Repeating it changes nothing.
 * @throws {AppError} `not_found`
 */
export async function stopPartner(change: PartnerChange, partnerId: number): Promise<void> {
  const { db, nowMs, actorId } = change;
  await changeAccess(db, { partners: [partnerId] }, async (tx) => {
    if (await deactivatePartner(tx, { partnerId, nowMs })) {
      const entry = { action: 'partner.deactivated', subjectKind: 'partner', subjectId: partnerId };
      await recordAudit(tx, change, { atMs: nowMs, actorId, ...entry });
    } else if (!(await findPartner(tx, { id: partnerId }))) throw new AppError('not_found');
  });
}
