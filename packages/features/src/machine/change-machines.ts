import { AppError, dummyHash, type Permission, randomId } from '@gatehouse/auth-core';
import { type AccountState, findAccountState } from '@gatehouse/db/queries/find-account-state';
import {
  type ApiKeyRow,
  findMachine,
  insertMachine,
  listLiveKeys,
  listMachines,
  type MachineRow,
  removeMachine,
  setMachine,
} from '@gatehouse/db/queries/machines';
import { takeTurn } from '@gatehouse/db/queries/take-turn';
import { idCursor, openCursor, toPage } from '@gatehouse/http/page';
import { changeAndRecord, changedFields } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import { actingRoleIn } from '../core/authority/authority-over.js';
import { givenRole, requireWithinCeiling } from '../core/authority/given-role.js';
import type { Context, Services } from '../core/context.js';
import type { ReachedAccount } from '../core/guard/account-access.js';
import type { Caller } from '../core/guard/caller.js';
import type { Guarded } from '../core/guard/guarded.js';
import { toMachineView } from './machine-view.js';

/** A call by somebody who manages the machines of the account or, without one, those of the staff. */
export type MachineContext = Guarded<{ readonly caller: Caller; readonly account?: ReachedAccount }>;

export const MAX_MACHINES = 50;

/** The label of machines in the row of their member. */
const LABEL = 'Machine';

export async function listMachinesOf(
  { services }: Context,
  accountId: number | null,
  { cursor, limit }: { readonly cursor?: string | null | undefined; readonly limit: number },
) {
  const [afterId] = openCursor(cursor, idCursor) ?? [0];
  const rows = await listMachines(services.db, { accountId, afterId, limit: limit + 1 });
  return toPage(rows, limit, ({ id }) => [id], toMachineView);
}

interface WantedMachine {
  readonly machineId?: number | undefined;
  readonly name: string;
  readonly roleType?: number | undefined;
  readonly customRoleId?: number | undefined;
}

/**
 * Makes or changes a machine. Its role is not above that of the caller.
 * @throws {AppError} `not_found`, `limit_reached`, `permission_denied`
 */
export function saveMachineOf(ctx: MachineContext, wanted: WantedMachine) {
  const { machineId, name } = wanted;
  const accountId = ctx.account?.id ?? null;
  const subjects = {
    announce: { members: machineId === undefined ? [] : [machineId] },
    lock: { accounts: accountId === null ? [] : [accountId] },
  };
  return changeAndRecord(ctx, subjects, async ({ tx, nowMs, ...authorized }) => {
    const { roles } = authorized.services;
    const before = machineId === undefined ? undefined : await findMachine(tx, { id: machineId, accountId });
    if (machineId !== undefined && before === undefined) throw new AppError('not_found');
    const account = accountId === null ? undefined : await findAccountState(tx, accountId);
    const role =
      account === undefined
        ? { roleType: roles.id.userMember, customRoleId: null }
        : roleOf(authorized, account, wanted);
    const fields = { name, ...role };
    const changed = changedFields({ ...before }, fields);
    if (before === undefined) {
      // Those of the staff have no account, whose lock would let one in after the other.
      if (accountId === null) await takeTurn(tx, 'staff-machines', randomId());
      const page = { accountId, afterId: 0, limit: MAX_MACHINES };
      if ((await listMachines(tx, page)).length === MAX_MACHINES) throw new AppError('limit_reached');
    }
    const createdById = before?.createdById ?? authorized.caller.memberId;
    const id =
      before?.id ?? (await insertMachine(tx, { ...fields, accountId, createdById, ...nobody(), nowMs }));
    if (before !== undefined && changed) await setMachine(tx, { id, ...fields, role: LABEL, nowMs });
    const createdAtMs = before?.createdAtMs ?? nowMs;
    return {
      result: toMachineView({ ...fields, id, accountId, createdById, createdAtMs }),
      record: changed && {
        action: before ? 'machine.changed' : 'machine.made',
        ...(accountId === null ? {} : { accountId }),
        subjectKind: 'machine',
        subjectId: id,
        ...changed,
      },
    };
  });
}

/** The columns of a machine's row in place of a login name and a password. */
export function nobody() {
  return { anonymous: `machine:${randomId()}`, password: dummyHash, role: LABEL };
}

/** The role that an input names: one of 2 to 5, or a custom one, which ranks as one of these. */
function roleOf(
  { services: { roles }, caller, account: reached }: MachineContext,
  account: AccountState,
  choice: WantedMachine,
) {
  const { roleType, customRoleId, permissions } = givenRole(roles, account, choice);
  const { manager, contributor, designer, userMember } = roles.id;
  if (![manager, contributor, designer, userMember].includes(roleType)) {
    const message = `must be one of ${[manager, contributor, designer, userMember].join(', ')}`;
    throw new AppError('invalid_input', { issues: [{ path: 'roleType', message }] });
  }
  const held = reached?.permissions ?? new Set<Permission>();
  const actor = { role: actingRoleIn(roles, caller.member, account.id), permissions: held };
  requireWithinCeiling(roles, actor, { roleType, permissions });
  return { roleType, customRoleId };
}

/**
 * Removes a machine, whose keys are refused from the next request on.
 * @throws {AppError} `not_found`
 */
export function removeMachineOf(ctx: MachineContext, machineId: number): Promise<void> {
  const accountId = ctx.account?.id ?? null;
  const subjects = {
    announce: { members: [machineId] },
    lock: { accounts: accountId === null ? [] : [accountId] },
  };
  return changeAndRecord(ctx, subjects, async ({ tx, nowMs, caller }) => {
    const before = await findMachine(tx, { id: machineId, accountId });
    if (before === undefined) throw new AppError('not_found');
    const place = accountId === null ? {} : { accountId };
    for (const key of await listLiveKeys(tx, { machineId, nowMs }))
      await recordAudit(tx, ctx, { ...revocationOf(accountId, key), atMs: nowMs, actorId: caller.memberId });
    await removeMachine(tx, { id: machineId, nowMs });
    const { name, roleType, customRoleId } = before;
    return {
      result: undefined,
      record: {
        action: 'machine.removed',
        ...place,
        subjectKind: 'machine',
        subjectId: machineId,
        before: { name, roleType, customRoleId },
        after: null,
      },
    };
  });
}

/** The audit record of a key that is revoked. */
export function revocationOf(
  accountId: number | null,
  { id, name, machineId }: Pick<ApiKeyRow, 'id' | 'name' | 'machineId'>,
) {
  return {
    action: 'key.revoked',
    ...(accountId === null ? {} : { accountId }),
    subjectKind: 'key',
    subjectId: id,
    before: { name, machineId },
    after: null,
  };
}

/** The permissions of a machine's role in its account, as of now; none once its custom role is gone. */
export function permissionsOfMachine(
  { roles }: Pick<Services, 'roles'>,
  account: AccountState,
  { roleType, customRoleId }: MachineRow,
): ReadonlySet<Permission> {
  if (customRoleId === null) return givenRole(roles, account, { roleType }).permissions;
  const isThere = account.customRoles.some(({ id }) => id === customRoleId);
  return isThere ? givenRole(roles, account, { customRoleId }).permissions : new Set();
}
