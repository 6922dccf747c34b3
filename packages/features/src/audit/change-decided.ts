import { type AccessTransaction, changeAccess, writeAccountRows } from '@gatehouse/db';
import { decide, type Undecided } from '../app/decide.js';
import type { Guarded } from '../app/guarded.js';

/** Whose access a change is about. */
export interface ChangeSubjects {
  readonly members?: readonly number[];
  readonly accounts?: readonly number[];
  /** Members it concerns whose access stays as it is. */
  readonly concerns?: readonly number[];
  /** Accounts whose members change: held against everybody else, and written, so that two such changes collide. */
  readonly among?: readonly number[];
  /** Accounts it depends on that stay as they are. */
  readonly within?: readonly number[];
  /** Accounts in which changes of this kind are made one after the other; nobody's access there changes. */
  readonly inTurn?: readonly number[];
  /** Members it depends on, who stay as they are. */
  readonly dependsOn?: readonly number[];
}

/**
 * The one way in which a guarded call writes: in a transaction that begins with the verdict of its guard, by rows that
 * stay as they are until it ends. Where access changes, every node is told.
 *
 * @param subjects as far as they are known beforehand
 * @param body `decided` is the call as the verdict found it, which goes before what the call knew of itself
 * @throws {AppError} a refusal
 */
export async function changeDecided<Extra extends object, Result>(
  ctx: Undecided<Extra>,
  subjects: ChangeSubjects,
  body: (tx: AccessTransaction, nowMs: number, decided: Guarded<Extra>) => Promise<Result>,
): Promise<Result> {
  const { services } = ctx;
  const { members = [], accounts = [], concerns = [], among = [] } = subjects;
  const { within = [], inTurn = [], dependsOn = [] } = subjects;
  const held = {
    members: [...members, ...concerns],
    accounts: [...accounts, ...among, ...inTurn],
    sharedAccounts: within,
    sharedMembers: dependsOn,
  };
  return changeAccess(services.db, { members, accounts }, async (tx) => {
    const decided = await decide(ctx, tx, held);
    await writeAccountRows(tx, among, services.now());
    return body(tx, services.now(), decided);
  });
}
