import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { writeAccountRows } from '@gatehouse/db/queries/change-accounts';
import type { Caller } from '../core/guard/caller.js';
import { authorizeOnLockedRows, type Guarded, type NotAuthorized } from '../core/guard/guarded.js';
import type { CallingPartner } from '../core/guard/service-callers.js';
import type { EventDraft } from '../event/events-of-acts.js';
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

interface Subjects {
  readonly members?: readonly number[];
  readonly accounts?: readonly number[];
}

/** The members and accounts of a change, as far as they are known in advance. */
interface ChangeSubjects {
  /** Those whose access changes: they are locked, and the change log tells all nodes of them. */
  readonly announce?: Subjects;
  /** Those that are locked although nobody's access changes. Such accounts are written too, so that two changes conflict. */
  readonly lock?: Subjects;
  /** Those that the change depends on and does not alter. */
  readonly share?: Subjects;
  /**
   * Whether the accounts are named for joining, declining or leaving, which a session of any level may do. Otherwise each
   * of them must accept the level of the caller's session.
   */
  readonly atAnyLevel?: true;
}

/** A call that was authorized on locked rows, with its transaction. */
type Changing<Extra> = Guarded<Extra> & { readonly tx: AccessTransaction; readonly nowMs: number };

/**
 * The only way for a guarded call to write. The transaction begins by running the guard on locked rows. A
 * change of access is written to the change log for all nodes.
 *
 * @param body is given the call with the rows that the guard read; use it instead of the original call
 * @throws {AppError} a refusal; `enrolment_required` or `verification_required` for an account that asks for a higher
 * level than the session has
 */
export async function change<Extra extends object, Result>(
  ctx: NotAuthorized<Extra>,
  { announce = {}, lock = {}, share = {}, atAnyLevel }: ChangeSubjects,
  body: (changing: Changing<Extra>) => Promise<Result>,
): Promise<Result> {
  const { services } = ctx;
  const subjects = {
    members: [...(announce.members ?? []), ...(lock.members ?? [])],
    accounts: [...(announce.accounts ?? []), ...(lock.accounts ?? [])],
    sharedMembers: share.members ?? [],
    sharedAccounts: share.accounts ?? [],
    atAnyLevel: atAnyLevel === true,
  };
  return changeAccess(services.db, announce, async (tx) => {
    const authorized = await authorizeOnLockedRows(ctx, tx, subjects);
    await writeAccountRows(tx, lock.accounts ?? [], services.now());
    return body({ ...authorized, tx, nowMs: services.now() });
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
  /** Events besides those that follow from the action. */
  readonly events?: readonly EventDraft[];
}

/** Who may make a change that is recorded. */
type Changer =
  | { readonly caller: Pick<Caller, 'memberId'> }
  | { readonly partner: Pick<CallingPartner, 'id'> };

function whoOf(by: Changer): { readonly actorId?: number; readonly partnerId?: number } {
  return 'caller' in by ? { actorId: by.caller.memberId } : { partnerId: by.partner.id };
}

interface Change<Result> {
  readonly result: Result;
  /** Undefined if nothing changed. */
  readonly record: ChangeRecord | undefined;
  /** What ended or changed with it, each a separate line. */
  readonly also?: readonly ChangeRecord[];
}

/**
 * A change of the caller, or of a partner, with its line in the audit log: the guard's check, the change, that line and the change
 * log are one transaction. After the commit it writes to the security log.
 *
 * @param body as that of `change`
 */
export async function changeAndRecord<Extra extends Changer, Result>(
  ctx: NotAuthorized<Extra>,
  subjects: ChangeSubjects,
  body: (changing: Changing<Extra>) => Promise<Change<Result>>,
): Promise<Result> {
  const { services, call } = ctx;
  const { result, record, by } = await change(ctx, subjects, async (changing) => {
    const { tx, nowMs } = changing;
    const made = await body(changing);
    const by = whoOf(changing);
    for (const record of [made.record, ...(made.also ?? [])])
      if (record) await recordAudit(tx, ctx, { ...record, atMs: nowMs, actorId: by.actorId ?? null });
    return { ...made, by };
  });
  if (record) {
    services.log.security({
      event: 'admin.change',
      requestId: call.requestId,
      address: call.address,
      ...by,
      memberId: record.onBehalfOfId,
      accountId: record.accountId,
      reason: record.action,
    });
  }
  return result;
}
