import type { AccessTransaction } from '@gatehouse/db';
import type { Caller } from '../core/guard/caller.js';
import type { Guarded, Undecided } from '../core/guard/guarded.js';
import { type ChangeSubjects, changeDecided } from './change-decided.js';
import { recordAudit } from './record-audit.js';

/** An audit entry of a change. `before` and `after` have the differing fields, without secrets. */
export interface ChangeRecord {
  /** The action, as `member.updated`. */
  readonly action: string;
  readonly accountId?: number;
  /** The subject, if it is not the caller. */
  readonly onBehalfOfId?: number;
  readonly subjectKind: string;
  readonly subjectId: number | string;
  readonly before: object | null;
  readonly after: object | null;
}

export interface Change<Result> {
  readonly result: Result;
  /** Undefined if nothing changed. */
  readonly record: ChangeRecord | undefined;
}

/**
 * Makes a change on behalf of the caller. The guard's check, the change, its audit line and the change log
 * are one transaction. After the commit it writes to the security log.
 *
 * @param subjects the ones known in advance
 * @param body `decided` is the call with the rows the guard read; use it instead of the original call
 */
export async function makeChange<Extra extends { readonly caller: Pick<Caller, 'memberId'> }, Result>(
  ctx: Undecided<Extra>,
  subjects: ChangeSubjects,
  body: (tx: AccessTransaction, nowMs: number, decided: Guarded<Extra>) => Promise<Change<Result>>,
): Promise<Result> {
  const { services, call } = ctx;
  const { change, actorId } = await changeDecided(ctx, subjects, async (tx, nowMs, decided) => {
    const { memberId } = decided.caller;
    const made = await body(tx, nowMs, decided);
    if (made.record) {
      await recordAudit(tx, ctx, {
        ...made.record,
        atMs: nowMs,
        actorId: memberId,
      });
    }
    return { change: made, actorId: memberId };
  });
  const { result, record } = change;
  if (record) {
    services.log.security({
      event: 'admin.change',
      requestId: call.requestId,
      address: call.address,
      actorId,
      memberId: record.onBehalfOfId,
      accountId: record.accountId,
      reason: record.action,
    });
  }
  return result;
}
