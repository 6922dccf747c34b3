import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertPartnerMember } from '@gatehouse/db/queries/partner-members';
import {
  deactivatePartner,
  findPartner,
  setAccountPartner,
  setPartner,
} from '@gatehouse/db/queries/partners';
import { type AuditContext, recordAudit } from '../audit/record-audit.js';

/** The dependencies of partner administration, for the admin service and the command line. */
export interface PartnerChange extends AuditContext {
  readonly db: Database;
  readonly nowMs: number;
  /** The actor for the audit log: a staff member, or the operator at the command line, who has no number. */
  readonly actorId: number | null;
}

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

/**
 * Deactivates a partner. From the next call on, on every node, its secrets, tokens, login URLs and the sessions
 * it began are invalid. Repeating it changes nothing.
 * @throws {AppError} `not_found`
 */
export async function stopPartner(change: PartnerChange, partnerId: number): Promise<void> {
  const { db, nowMs, actorId } = change;
  await changeAccess(db, { partners: [partnerId] }, async (tx) => {
    if (await deactivatePartner(tx, { partnerId, endedById: actorId, nowMs })) {
      const entry = { action: 'partner.deactivated', subjectKind: 'partner', subjectId: partnerId };
      await recordAudit(tx, change, { atMs: nowMs, actorId, ...entry });
    } else if (!(await findPartner(tx, { id: partnerId }))) throw new AppError('not_found');
  });
}

interface PartnerLink {
  /** False when the member was linked before. */
  readonly isNew: boolean;
  /** Accounts that the member does not own, or that another partner created. They stay unchanged. */
  readonly refusedAccountIds: readonly number[];
}

/**
 * Links a member that a partner registered before links existed. Also marks the accounts it created for them,
 * so that its sign-ons reach these. Repeating it changes nothing.
 */
export async function linkPartnerMember(
  change: PartnerChange,
  link: { readonly partnerId: number; readonly memberId: number; readonly accountIds: readonly number[] },
): Promise<PartnerLink> {
  const { db, nowMs, actorId } = change;
  const { partnerId, memberId, accountIds } = link;
  const subjects = { members: [memberId], accounts: accountIds };
  return changeAccess(db, subjects, async (tx) => {
    const isNew = await insertPartnerMember(tx, { partnerId, memberId, nowMs });
    const marked: number[] = [];
    const refusedAccountIds: number[] = [];
    for (const accountId of accountIds) {
      const outcome = await setAccountPartner(tx, { accountId, ownerId: memberId, partnerId, nowMs });
      if (outcome === 'marked') marked.push(accountId);
      if (outcome === 'refused') refusedAccountIds.push(accountId);
    }
    if (isNew || marked.length > 0) {
      const entry = { action: 'partner.member_linked', subjectKind: 'member', subjectId: memberId };
      await recordAudit(tx, change, {
        atMs: nowMs,
        actorId,
        ...entry,
        after: { partnerId, accountIds: marked },
      });
    }
    return { isNew, refusedAccountIds };
  });
}
