import type { AccessTransaction } from '@gatehouse/db';
import type { Caller } from '../app/caller.js';
import type { Undecided } from '../app/decide.js';
import type { Guarded } from '../app/guarded.js';
import { type ChangeSubjects, changeDecided } from './change-decided.js';
import { recordAudit } from './record-audit.js';

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
 * Makes a change on behalf of the caller: the verdict on them, the change, its line in the audit log and what tells
 * every node are one transaction, and the security log hears of it once it is committed.
 *
 * @param subjects as far as they are known beforehand
 * @param body `decided` is the call as the verdict found it, which goes before what the call knew of itself
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
