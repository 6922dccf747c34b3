import {
  AppError,
  makeOpaqueToken,
  STAFF_PERMISSIONS,
  sha256Hex,
  staffPermissions,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import {
  type ApiKeyRow,
  findApiKey,
  findMachine,
  insertApiKey,
  listApiKeys,
  listLiveKeys,
  listMachines,
  type MachineRow,
  replaceApiKey,
  revokeApiKey,
} from '@gatehouse/db/queries/machines';
import { idCursor, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import { requireConfirmed } from '../core/authority/given-role.js';
import type { Context } from '../core/context.js';
import { MAX_MACHINES, type MachineContext, permissionsOfMachine, revocationOf } from './change-machines.js';
import { firstNotice } from './key-notices.js';
import { keyFields, toKeyView } from './machine-view.js';

const MAX_LIVE = 10;
const START_LENGTH = 12;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Permissions that no machine may hold: with them it could make keys and accounts for itself, or decide who else may. */
const ONLY_FOR_PEOPLE: ReadonlySet<string> = new Set([
  'event.manage',
  'key.manage',
  'app.manage',
  'sso.manage',
  ...STAFF_PERMISSIONS.filter((name) => name.startsWith('platform')),
  'personnel.manage',
  'member.impersonate',
]);

export async function listKeysOf(
  { services: { db } }: Context,
  accountId: number | null,
  {
    cursor,
    limit,
    machineId,
  }: { cursor?: string | null | undefined; limit: number; machineId?: number | undefined },
) {
  const [afterId] = openCursor(cursor, idCursor) ?? [0];
  const machines =
    machineId === undefined
      ? await listMachines(db, { accountId, afterId: 0, limit: MAX_MACHINES })
      : [await findMachine(db, { id: machineId, accountId })];
  const machineIds = machines.flatMap((machine) => (machine === undefined ? [] : [machine.id]));
  const rows = await listApiKeys(db, { machineIds, afterId, limit: limit + 1 });
  return toPage(rows, limit, ({ id }) => [id], toKeyView);
}

const newKey = z.object(keyFields);

/**
 * Makes a key, which the answer has once.
 * @throws {AppError} `not_found`, `limit_reached`, `unconfirmed`, `permission_denied` for a scope that the machine or the
 * caller lacks
 */
export function createKeyOf(ctx: MachineContext, wanted: z.output<typeof newKey>) {
  const { machineId, name, expiresInDays, addresses = [], perMinute } = wanted;
  const accountId = ctx.account?.id ?? null;
  const scopes = [...new Set(wanted.scopes)];
  return changeAndRecord(ctx, subjectsOf(accountId, machineId), async ({ tx, nowMs, ...authorized }) => {
    const machine = await findMachine(tx, { id: machineId, accountId });
    if (machine === undefined) throw new AppError('not_found');
    requireKnown(authorized, scopes);
    const grantable = await grantableTo(tx, authorized, machine);
    if (!scopes.every((scope) => grantable.has(scope))) throw new AppError('permission_denied');
    await requireProven(tx, authorized, accountId);
    const live = await listLiveKeys(tx, { machineId, nowMs });
    // Replaced keys are not counted: each lasts for its overlap, or until the new one is revoked, so at most as many more are
    // valid.
    if (live.filter(({ replacedById }) => replacedById === null).length >= MAX_LIVE)
      throw new AppError('limit_reached');
    const createdById = authorized.caller.memberId;
    const settings = { machineId, name, scopes, addresses, perMinute, createdById };
    const made = await writeKey(tx, { ...settings, nowMs, lifeMs: expiresInDays * DAY_MS });
    return { result: made, record: { action: 'key.created', ...recordOf(accountId, made.row) } };
  });
}

/**
 * Replaces a key by one with the same settings and as long a life. The old one lasts for the overlap.
 * @throws {AppError} `not_found`, `key_ended`, `unconfirmed`, `permission_denied` for a scope that the caller lacks
 */
export async function rotateKeyOf(
  ctx: MachineContext,
  { keyId, overlapHours }: { readonly keyId: number; readonly overlapHours: number },
) {
  const accountId = ctx.account?.id ?? null;
  const machineId = await machineOf(ctx, keyId, accountId);
  return changeAndRecord(ctx, subjectsOf(accountId, machineId), async ({ tx, nowMs, ...authorized }) => {
    const old = await findApiKey(tx, keyId);
    const machine = await findMachine(tx, { id: machineId, accountId });
    if (old === undefined || machine === undefined) throw new AppError('not_found');
    if (old.revokedAtMs !== null || old.expiresAtMs <= nowMs || old.replacedById !== null)
      throw new AppError('key_ended');
    const held = heldBy(authorized);
    if (!old.scopes.every((scope) => held.has(scope) && !ONLY_FOR_PEOPLE.has(scope)))
      throw new AppError('permission_denied');
    await requireProven(tx, authorized, accountId);
    const actorId = authorized.caller.memberId;
    const { name, scopes, addresses, perMinute } = old;
    const settings = { machineId, name, scopes: [...scopes], addresses: [...addresses], perMinute };
    const lifeMs = old.expiresAtMs - old.createdAtMs;
    const made = await writeKey(tx, { ...settings, createdById: actorId, nowMs, lifeMs });
    // At most two of them are valid: the one that the old key had replaced ends now.
    await revokeReplaced(tx, ctx, { id: keyId, machineId, accountId, nowMs, actorId });
    const expiresAtMs = Math.min(old.expiresAtMs, nowMs + overlapHours * HOUR_MS);
    await replaceApiKey(tx, { id: keyId, replacedById: made.row.id, expiresAtMs });
    if (overlapHours === 0) await revoke(tx, ctx, { key: old, accountId, nowMs, actorId });
    const record = { action: 'key.rotated', ...recordOf(accountId, made.row) };
    return {
      result: made,
      record: { ...record, after: { ...record.after, replaces: keyId, overlapHours } },
    };
  });
}

/**
 * Revokes a key and the one that it replaced: both are refused from the next request on. Repeating it changes nothing.
 * @throws {AppError} `not_found`
 */
export async function revokeKeyOf(ctx: MachineContext, keyId: number): Promise<void> {
  const accountId = ctx.account?.id ?? null;
  const machineId = await machineOf(ctx, keyId, accountId);
  await changeAndRecord(ctx, subjectsOf(accountId, machineId), async ({ tx, nowMs, caller }) => {
    const key = await findApiKey(tx, keyId);
    if (key === undefined) throw new AppError('not_found');
    const actorId = caller.memberId;
    await revokeReplaced(tx, ctx, { id: keyId, machineId, accountId, nowMs, actorId });
    const isRevoked = await revokeApiKey(tx, { id: keyId, nowMs });
    return { result: undefined, record: isRevoked ? revocationOf(accountId, key) : undefined };
  });
}

function subjectsOf(accountId: number | null, machineId: number) {
  return {
    announce: { members: [machineId] },
    lock: { accounts: accountId === null ? [] : [accountId] },
  };
}

/** The machine of a key, which never changes; `not_found` for a key of another account. */
async function machineOf(
  { services: { db } }: Context,
  keyId: number,
  accountId: number | null,
): Promise<number> {
  const key = await findApiKey(db, keyId);
  const machine = key && (await findMachine(db, { id: key.machineId, accountId }));
  if (machine === undefined) throw new AppError('not_found');
  return machine.id;
}

/** @throws {AppError} `invalid_input` for a scope that is not a permission here */
function requireKnown({ services: { roles }, account }: MachineContext, scopes: readonly string[]): void {
  const known: ReadonlySet<string> = new Set<string>(
    account === undefined ? STAFF_PERMISSIONS : roles.permissions,
  );
  const at = scopes.findIndex((scope) => !known.has(scope));
  if (at === -1) return;
  throw new AppError('invalid_input', {
    issues: [{ path: `scopes.${at}`, message: 'There is no such permission' }],
  });
}

/** The permissions that the caller has. */
function heldBy({ services: { roles }, caller, account }: MachineContext): ReadonlySet<string> {
  return account === undefined ? staffPermissions(roles, caller.member) : account.permissions;
}

/** What the caller can allow a machine: what both may do, except what only people may. */
async function grantableTo(
  tx: Database,
  ctx: MachineContext,
  machine: MachineRow,
): Promise<ReadonlySet<string>> {
  const held = heldBy(ctx);
  const account = machine.accountId === null ? undefined : await findAccountState(tx, machine.accountId);
  const own: ReadonlySet<string> =
    account === undefined ? held : permissionsOfMachine(ctx.services, account, machine);
  return new Set([...held].filter((each) => own.has(each) && !ONLY_FOR_PEOPLE.has(each)));
}

/** A key outlives the session of the member who makes it, so that member must have confirmed their address. */
async function requireProven(
  tx: Database,
  { services, caller: { memberId } }: MachineContext,
  accountId: number | null,
): Promise<void> {
  if (accountId !== null)
    await requireConfirmed(tx, services, { memberId, roleType: services.roles.id.owner });
}

async function writeKey(
  tx: AccessTransaction,
  {
    nowMs,
    lifeMs,
    ...settings
  }: Pick<ApiKeyRow, 'machineId' | 'name' | 'perMinute' | 'createdById'> & {
    readonly scopes: string[];
    readonly addresses: string[];
    readonly nowMs: number;
    readonly lifeMs: number;
  },
): Promise<{ readonly key: string; readonly row: ApiKeyRow }> {
  const key = makeOpaqueToken('apiKey');
  const expiresAtMs = nowMs + lifeMs;
  const row = { ...settings, start: key.slice(0, START_LENGTH), createdAtMs: nowMs, expiresAtMs };
  const noticeAtMs = firstNotice(expiresAtMs, nowMs);
  const id = await insertApiKey(tx, { ...row, digest: sha256Hex(key), noticeAtMs });
  return { key, row: { ...row, id, revokedAtMs: null, replacedById: null, lastUsedAtMs: null } };
}

/** The audit record of a new key, without its action. */
function recordOf(accountId: number | null, key: ApiKeyRow) {
  const { id, machineId, name, scopes, addresses, perMinute, expiresAtMs } = key;
  const expiresAt = new Date(expiresAtMs).toISOString();
  return {
    ...(accountId === null ? {} : { accountId }),
    subjectKind: 'key',
    subjectId: id,
    before: null,
    after: { machineId, name, scopes, addresses, perMinute, expiresAt },
  };
}

/** Revokes the keys that a key has replaced and that are still in their overlap. */
export async function revokeReplaced(
  tx: AccessTransaction,
  ctx: Context,
  {
    id,
    machineId,
    ...how
  }: { id: number; machineId: number; accountId: number | null; nowMs: number; actorId: number | null },
): Promise<void> {
  const live = await listLiveKeys(tx, { machineId, nowMs: how.nowMs });
  for (const key of live.filter(({ replacedById }) => replacedById === id))
    await revoke(tx, ctx, { ...how, key });
}

async function revoke(
  tx: AccessTransaction,
  ctx: Context,
  {
    key,
    accountId,
    nowMs,
    actorId,
  }: { key: ApiKeyRow; accountId: number | null; nowMs: number; actorId: number | null },
): Promise<void> {
  if (!(await revokeApiKey(tx, { id: key.id, nowMs }))) return;
  await recordAudit(tx, ctx, { ...revocationOf(accountId, key), atMs: nowMs, actorId });
}
