import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { writeAccountRows } from '@gatehouse/db/queries/change-accounts';
import type { Caller } from '../core/guard/caller.js';
import { decide, type Guarded, type Undecided } from '../core/guard/guarded.js';
import { recordAudit } from './record-audit.js';

/** The fields that differ between two states, or undefined if none does. Values are compared as JSON. */
export function changedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { before: Record<string, unknown>; after: Record<string, unknown> } | undefined {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return undefined;
  const pick = (state: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** The subjects of a change. */
interface ChangeSubjects {
  readonly members?: readonly number[];
  readonly accounts?: readonly number[];
  /** Related members whose access does not change. */
  readonly concerns?: readonly number[];
  /**
   * Accounts whose members change. They are locked exclusively and written, so that two such changes
   * conflict.
   */
  readonly among?: readonly number[];
  /** Accounts that the change depends on and does not alter. */
  readonly within?: readonly number[];
  /** Accounts that serialize changes of this kind; nobody's access there changes. */
  readonly inTurn?: readonly number[];
  /** Members that the change depends on and does not alter. */
  readonly dependsOn?: readonly number[];
  /**
   * Whether the accounts are named for joining, declining or leaving, which a session of any level may do. Otherwise each
   * of them must accept the level of the caller's session.
   */
  readonly atAnyLevel?: true;
}

/**
 * The only way for a guarded call to write. The transaction begins by running the guard on locked rows. A
 * change of access is written to the change log for all nodes.
 *
 * @param subjects the ones known in advance
 * @param body `decided` is the call with the rows the guard read; use it instead of the original call
 * @throws {AppError} a refusal; `enrolment_required` or `verification_required` for an account that asks for a higher
 * level than the session has
 */
export async function changeDecided<Extra extends object, Result>(
  ctx: Undecided<Extra>,
  subjects: ChangeSubjects,
  body: (tx: AccessTransaction, nowMs: number, decided: Guarded<Extra>) => Promise<Result>,
): Promise<Result> {
  const { services } = ctx;
  const { members = [], accounts = [], concerns = [], among = [] } = subjects;
  const { within = [], inTurn = [], dependsOn = [], atAnyLevel = false } = subjects;
  const held = {
    members: [...members, ...concerns],
    accounts: [...accounts, ...among, ...inTurn],
    sharedAccounts: within,
    sharedMembers: dependsOn,
    atAnyLevel,
  };
  return changeAccess(services.db, { members, accounts }, async (tx) => {
    const decided = await decide(ctx, tx, held);
    await writeAccountRows(tx, among, services.now());
    return body(tx, services.now(), decided);
  });
}

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

interface Change<Result> {
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
