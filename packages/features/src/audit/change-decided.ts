import { type AccessTransaction, changeAccess, writeAccountRows } from '@gatehouse/db';
import type { Guarded } from '../core/guard/guarded.js';
import { decide, type Undecided } from '../core/guard/guarded.js';

/** The subjects of a change. */
export interface ChangeSubjects {
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
