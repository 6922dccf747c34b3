import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { endInvitation, listInvitationsTo, lockInvitation } from '@gatehouse/db/queries/invitations';
import type { ChangeRecord } from '../audit/change.js';
import { invitationRecord } from './inviter-rules.js';

/**
 * Revokes invitations by which a removed member could come back to the account. The caller has locked the account and the member.
 * @returns the lines of the audit log
 */
export async function revokeInvitationsTo(
  tx: AccessTransaction,
  {
    accountId,
    memberId,
    endedById,
    nowMs,
  }: { accountId: number; memberId: number; endedById: number | null; nowMs: number },
): Promise<ChangeRecord[]> {
  const records: ChangeRecord[] = [];
  for (const { id } of await listInvitationsTo(tx, { accountId, memberId, nowMs })) {
    const before = await lockInvitation(tx, id);
    const end = { invitationId: id, status: 'revoked', endedById, nowMs } as const;
    if (before === undefined || !(await endInvitation(tx, end))) continue;
    const record = invitationRecord('invitation.revoked', before, { ...before, status: end.status });
    if (record) records.push(record);
  }
  return records;
}
