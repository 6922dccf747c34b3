import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import type { ChangeRecord } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import type { DirectoryContext } from './scim-exchange.js';

/** Adds a line to the audit log about a change by a directory. */
export function recordDirectory(
  tx: AccessTransaction,
  ctx: DirectoryContext,
  record: Omit<ChangeRecord, 'accountId'> & { readonly accountId?: number },
  nowMs: number,
): Promise<void> {
  const { directory } = ctx;
  return recordAudit(tx, ctx, { accountId: directory.accountId, ...record, atMs: nowMs, actorId: null });
}

/** The same about a membership, whose `before` and `after` have what differs. */
export function recordPlace(
  tx: AccessTransaction,
  ctx: DirectoryContext,
  {
    action,
    memberId,
    before,
    after,
  }: Pick<ChangeRecord, 'action' | 'before' | 'after'> & { readonly memberId: number },
  nowMs: number,
): Promise<void> {
  const subjectId = `${ctx.directory.accountId}/${memberId}`;
  const subject = { onBehalfOfId: memberId, subjectKind: 'membership', subjectId };
  return recordDirectory(tx, ctx, { action, ...subject, before, after }, nowMs);
}
