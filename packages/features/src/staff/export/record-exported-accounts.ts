import { type Database, listLiveMemberships, listWithheldAccounts } from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/context.js';
import type { Caller } from '../../core/guard/caller.js';

/**
 * Adds a line to the audit log of each account whose content an export of a member has, in the caller's transaction: the
 * accounts that the member is in and that the session opens.
 */
export async function recordExportedAccounts(
  tx: Database,
  ctx: Pick<Context, 'services' | 'call'>,
  { memberId, caller, nowMs }: { memberId: number; caller: Caller; nowMs: number },
): Promise<void> {
  const places = await listLiveMemberships(tx, memberId);
  const { level } = caller.session;
  const withheld = await listWithheldAccounts(tx, { memberId, level, nowMs, limit: Number.MAX_SAFE_INTEGER });
  for (const { accountId } of places) {
    if (withheld.includes(accountId)) continue;
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'account.exported',
      actorId: caller.memberId,
      onBehalfOfId: memberId,
      accountId,
      subjectKind: 'account',
      subjectId: accountId,
    });
  }
}
