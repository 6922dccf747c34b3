import { AppError } from '@gatehouse/auth-core';
import { changeAccess, deactivatePartner, findPartner, insertAudit } from '@gatehouse/db';
import type { PartnerChange } from './partner-change.js';

/**
 * Deactivates a partner. From the next call on, on every node, its secrets, tokens, login URLs and the sessions
 * it began are invalid. Repeating it changes nothing.
 * @throws {AppError} `not_found`
 */
export async function stopPartner(change: PartnerChange, partnerId: number): Promise<void> {
  const { db, nowMs, by } = change;
  await changeAccess(db, { partners: [partnerId] }, async (tx) => {
    if (await deactivatePartner(tx, { partnerId, nowMs })) {
      const entry = { action: 'partner.deactivated', subjectKind: 'partner', subjectId: partnerId };
      await insertAudit(tx, { atMs: nowMs, ...by, ...entry });
    } else if (!(await findPartner(tx, { id: partnerId }))) throw new AppError('not_found');
  });
}
