import { type AccessTransaction, changeAccess, insertAudit } from '@gatehouse/db';
import type { Caller } from '../access/caller.js';
import type { Context } from '../context.js';

/** What the audit log keeps of a change. `before` and `after` hold what differs, and no secret. */
export interface ChangeRecord {
  /** What was done, as `member.updated`. */
  readonly action: string;
  readonly accountId?: number;
  /** The member it was done to, where that is not the caller. */
  readonly onBehalfOfId?: number;
  readonly subjectKind: string;
  readonly subjectId: number | string;
  readonly before: object | null;
  readonly after: object | null;
}

export interface Change<Result> {
  readonly result: Result;
  /** Undefined when everything was so already. */
  readonly record: ChangeRecord | undefined;
}

/**
 * Makes a change on behalf of the caller: the change, its line in the audit log and what tells every node are one
 * transaction, and the security log hears of it once it is committed.
 *
 * @param subjects whose access it may change, as far as that is known beforehand
 */
export async function makeChange<Result>(
  ctx: Context & { readonly caller: Caller },
  subjects: { readonly members?: readonly number[]; readonly accounts?: readonly number[] },
  body: (tx: AccessTransaction, nowMs: number) => Promise<Change<Result>>,
): Promise<Result> {
  const { kit, call, caller } = ctx;
  const nowMs = kit.now();
  const { result, record } = await changeAccess(kit.db, { atMs: nowMs, ...subjects }, async (tx) => {
    const change = await body(tx, nowMs);
    if (change.record) {
      await insertAudit(tx, {
        ...change.record,
        atMs: nowMs,
        actorId: caller.memberId,
        address: call.address,
        requestId: call.requestId,
      });
    }
    return change;
  });
  if (record) {
    kit.log.security({
      event: 'admin.change',
      requestId: call.requestId,
      address: call.address,
      actorId: caller.memberId,
      memberId: record.onBehalfOfId,
      accountId: record.accountId,
      reason: record.action,
    });
  }
  return result;
}
