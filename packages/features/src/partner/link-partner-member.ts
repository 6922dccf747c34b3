import { changeAccess, insertPartnerMember, setAccountPartner } from '@gatehouse/db';
import { recordAudit } from '../audit/record-audit.js';
import type { PartnerChange } from './partner-change.js';

export interface PartnerLink {
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
