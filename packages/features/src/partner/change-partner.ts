import { AppError } from '@gatehouse/auth-core';
import { changeAccess, findPartner, setPartner } from '@gatehouse/db';
import { recordAudit } from '../audit/record-audit.js';
import type { PartnerChange } from './partner-change.js';

/**
 * Changes a partner's front-end address, or reactivates it. Its secrets then work as before; tokens and sessions
 * from before the deactivation stay invalid.
 * @throws {AppError} `not_found`
 */
export async function changePartner(
  change: PartnerChange,
  partner: {
    readonly id: number;
    readonly appUrl?: string | undefined;
    readonly isActive?: true | undefined;
  },
): Promise<void> {
  const { db, nowMs, actorId } = change;
  await changeAccess(db, { partners: [partner.id] }, async (tx) => {
    const before = await findPartner(tx, { id: partner.id });
    const { id: partnerId, appUrl, isActive } = partner;
    if (!before || !(await setPartner(tx, { partnerId, appUrl, isActive, nowMs })))
      throw new AppError('not_found');
    await recordAudit(tx, change, {
      atMs: nowMs,
      actorId,
      action: 'partner.changed',
      subjectKind: 'partner',
      subjectId: partnerId,
      before: { appUrl: before.appUrl, isActive: before.isActive },
      after: { appUrl: appUrl ?? before.appUrl, isActive: isActive ?? before.isActive },
    });
  });
}
