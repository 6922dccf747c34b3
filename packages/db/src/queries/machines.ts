import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { inIds } from './paging.js';
import { given, prepareRead } from './prepared.js';

/** A machine that was not removed. */
export interface MachineRow {
  /** The id of its member row. */
  readonly id: number;
  /** Null for a machine of the staff. */
  readonly accountId: number | null;
  readonly name: string;
  readonly roleType: number;
  readonly customRoleId: number | null;
  readonly createdById: number;
  readonly createdAtMs: number;
}

function columns({ tables: { machines } }: Database) {
  const { memberId: id, accountId, name, roleType, customRoleId, createdById, createdAtMs } = machines;
  return { id, accountId, name, roleType, customRoleId, createdById, createdAtMs };
}

/** The machines of an account, or of the staff, by ascending id. */
export async function listMachines(
  db: Database,
  { accountId, afterId, limit }: { accountId: number | null; afterId: number; limit: number },
): Promise<MachineRow[]> {
  const { machines } = db.tables;
  return db
    .select(columns(db))
    .from(machines)
    .where(
      and(
        accountId === null ? isNull(machines.accountId) : eq(machines.accountId, accountId),
        isNull(machines.removedAtMs),
        gt(machines.memberId, afterId),
      ),
    )
    .orderBy(asc(machines.memberId))
    .limit(limit);
}

/** A machine of an account, or of the staff. */
export async function findMachine(
  db: Database,
  { id, accountId }: { id: number; accountId: number | null },
): Promise<MachineRow | undefined> {
  const { machines } = db.tables;
  const [row] = await db
    .select(columns(db))
    .from(machines)
    .where(
      and(
        eq(machines.memberId, id),
        accountId === null ? isNull(machines.accountId) : eq(machines.accountId, accountId),
        isNull(machines.removedAtMs),
      ),
    );
  return row;
}

/** The fields of a machine that its maker chooses. */
interface MachineFields {
  readonly name: string;
  readonly roleType: number;
  readonly customRoleId: number | null;
}

/**
 * Makes a machine, with the row of a deleted member who has no address and no password.
 * @param made `anonymous` is the username and the login identifier, which nobody has; no password matches `password`
 * @returns its id
 */
export async function insertMachine(
  tx: AccessTransaction,
  made: MachineFields & {
    readonly accountId: number | null;
    readonly createdById: number;
    /** The label of its role. */
    readonly role: string;
    readonly anonymous: string;
    readonly password: string;
    readonly nowMs: number;
  },
): Promise<number> {
  const { anonymous, password, role, nowMs, ...machine } = made;
  const at = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const memberId = await tx.insert(tx.tables.members, {
    ...at,
    sid: anonymous,
    sidKey: anonymous,
    username: anonymous,
    usernameKey: anonymous,
    firstName: machine.name,
    firstNameKey: '',
    lastName: '',
    lastNameKey: '',
    password,
    hasPassword: false,
    roleType: machine.roleType,
    role,
    isMachine: true,
    isDeleted: true,
    deletedAtMs: nowMs,
    erasedAtMs: nowMs,
    isCounted: true,
  });
  await tx.insert(tx.tables.machines, { ...machine, ...at, memberId });
  return memberId;
}

/** Changes a machine. */
export async function setMachine(
  tx: AccessTransaction,
  { id, role, nowMs, ...fields }: MachineFields & { id: number; role: string; nowMs: number },
): Promise<void> {
  const { machines, members } = tx.tables;
  const { name: firstName, roleType } = fields;
  await tx.write(
    tx.update(members).set({ firstName, roleType, role, updatedAtMs: nowMs }).where(eq(members.id, id)),
  );
  await tx.write(
    tx
      .update(machines)
      .set({ ...fields, updatedAtMs: nowMs })
      .where(eq(machines.memberId, id)),
  );
}

/** Removes a machine and revokes its keys. */
export async function removeMachine(
  tx: AccessTransaction,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<void> {
  const { apiKeys, machines } = tx.tables;
  await tx.write(
    tx
      .update(machines)
      .set({ removedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(machines.memberId, id), isNull(machines.removedAtMs))),
  );
  await tx.write(
    tx
      .update(apiKeys)
      .set({ revokedAtMs: nowMs, noticeAtMs: null })
      .where(and(eq(apiKeys.machineId, id), isNull(apiKeys.revokedAtMs))),
  );
}

/** A key, without the key itself. */
export interface ApiKeyRow {
  readonly id: number;
  readonly machineId: number;
  readonly name: string;
  readonly start: string;
  readonly scopes: readonly string[];
  readonly addresses: readonly string[];
  readonly perMinute: number;
  readonly createdById: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
  readonly replacedById: number | null;
  readonly lastUsedAtMs: number | null;
}

function keyColumns({ tables: { apiKeys } }: Database) {
  const { id, machineId, name, start, scopes, addresses, perMinute, createdById } = apiKeys;
  const { createdAtMs, expiresAtMs, revokedAtMs, replacedById, lastUsedAtMs } = apiKeys;
  const settings = { id, machineId, name, start, scopes, addresses, perMinute, createdById };
  return { ...settings, createdAtMs, expiresAtMs, revokedAtMs, replacedById, lastUsedAtMs };
}

/** What decides about a call with a key. */
export interface ApiKeyState {
  readonly id: number;
  readonly machineId: number;
  readonly scopes: readonly string[];
  readonly addresses: readonly string[];
  readonly perMinute: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
}

const preparedKey = prepareRead<ApiKeyState, { digest: string }>((db) => {
  const { id, machineId, scopes, addresses, perMinute, expiresAtMs, revokedAtMs, digest } = db.tables.apiKeys;
  return db
    .select({ id, machineId, scopes, addresses, perMinute, expiresAtMs, revokedAtMs })
    .from(db.tables.apiKeys)
    .where(eq(digest, given(digest, 'digest')));
});

/** The key with a digest, ended ones included. */
export async function findKeyState(db: Database, digest: string): Promise<ApiKeyState | undefined> {
  const [row] = await preparedKey(db, { digest });
  return row;
}

export async function findApiKey(db: Database, id: number): Promise<ApiKeyRow | undefined> {
  const { apiKeys } = db.tables;
  const [row] = await db.select(keyColumns(db)).from(apiKeys).where(eq(apiKeys.id, id));
  return row;
}

/** The keys of a machine that are still valid, newest first. */
export async function listLiveKeys(
  db: Database,
  { machineId, nowMs }: { machineId: number; nowMs: number },
): Promise<ApiKeyRow[]> {
  const { apiKeys } = db.tables;
  return db
    .select(keyColumns(db))
    .from(apiKeys)
    .where(and(eq(apiKeys.machineId, machineId), isNull(apiKeys.revokedAtMs), gt(apiKeys.expiresAtMs, nowMs)))
    .orderBy(asc(apiKeys.id));
}

/** The keys of machines, ended ones included, by ascending id. */
export async function listApiKeys(
  db: Database,
  { machineIds, afterId, limit }: { machineIds: readonly number[]; afterId: number; limit: number },
): Promise<ApiKeyRow[]> {
  if (machineIds.length === 0) return [];
  const { apiKeys } = db.tables;
  return db
    .select(keyColumns(db))
    .from(apiKeys)
    .where(and(inIds(db, apiKeys.machineId, machineIds), gt(apiKeys.id, afterId)))
    .orderBy(asc(apiKeys.id))
    .limit(limit);
}

export async function insertApiKey(
  tx: AccessTransaction,
  key: Omit<ApiKeyRow, 'id' | 'revokedAtMs' | 'replacedById' | 'lastUsedAtMs' | 'scopes' | 'addresses'> & {
    readonly scopes: string[];
    readonly addresses: string[];
    readonly digest: string;
    readonly noticeAtMs: number | null;
  },
): Promise<number> {
  return tx.insert(tx.tables.apiKeys, key);
}

/** Revokes a key. False if it was revoked already. */
export async function revokeApiKey(
  tx: AccessTransaction,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<boolean> {
  const { apiKeys } = tx.tables;
  const rows = await tx.write(
    tx
      .update(apiKeys)
      .set({ revokedAtMs: nowMs, noticeAtMs: null })
      .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAtMs))),
  );
  return rows === 1;
}

/** Ends a key that another replaces. */
export async function replaceApiKey(
  tx: AccessTransaction,
  { id, replacedById, expiresAtMs }: { id: number; replacedById: number; expiresAtMs: number },
): Promise<void> {
  const { apiKeys } = tx.tables;
  await tx.write(
    tx.update(apiKeys).set({ replacedById, expiresAtMs, noticeAtMs: null }).where(eq(apiKeys.id, id)),
  );
}

/** Writes when keys were last used. */
export async function touchApiKeys(db: Database, ids: readonly number[], nowMs: number): Promise<void> {
  const { apiKeys } = db.tables;
  await db.write(
    db
      .update(apiKeys)
      .set({ lastUsedAtMs: nowMs })
      .where(
        and(inIds(db, apiKeys.id, ids), or(isNull(apiKeys.lastUsedAtMs), lt(apiKeys.lastUsedAtMs, nowMs))),
      ),
  );
}

/** A key with the names of what it belongs to. */
interface NamedKey {
  readonly id: number;
  readonly machineId: number;
  readonly name: string;
  readonly machineName: string;
  /** Null for a key of the staff. */
  readonly accountId: number | null;
}

/** The key with a digest, if it is not revoked. */
export async function findNamedKey(db: Database, digest: string): Promise<NamedKey | undefined> {
  const { apiKeys, machines } = db.tables;
  const { id, machineId, name } = apiKeys;
  const { name: machineName, accountId } = machines;
  const [row] = await db
    .select({ id, machineId, name, machineName, accountId })
    .from(apiKeys)
    .innerJoin(machines, eq(machines.memberId, machineId))
    .where(and(eq(apiKeys.digest, digest), isNull(apiKeys.revokedAtMs)));
  return row;
}

/** A key whose managers are to get mail about its end. */
export interface DueKeyNotice extends NamedKey {
  readonly expiresAtMs: number;
  readonly noticeAtMs: number;
}

/** The keys about whose end a mail is due, at most `limit`. */
export async function listDueKeyNotices(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<DueKeyNotice[]> {
  const { apiKeys, machines } = db.tables;
  const { id, machineId, name, expiresAtMs, noticeAtMs } = apiKeys;
  const { name: machineName, accountId } = machines;
  const rows = await db
    .select({ id, machineId, name, machineName, accountId, expiresAtMs, noticeAtMs })
    .from(apiKeys)
    .innerJoin(machines, eq(machines.memberId, machineId))
    .where(and(isNotNull(noticeAtMs), lte(noticeAtMs, nowMs), isNull(apiKeys.revokedAtMs)))
    .orderBy(asc(noticeAtMs))
    .limit(limit);
  return rows.flatMap((row) => (row.noticeAtMs === null ? [] : [{ ...row, noticeAtMs: row.noticeAtMs }]));
}

/** Moves the notice of a key on. False if another node did it, or the key was revoked. */
export async function changeKeyNotice(
  tx: Database,
  { id, from, to }: { id: number; from: number; to: number | null },
): Promise<boolean> {
  const { apiKeys } = tx.tables;
  const rows = await tx.write(
    tx
      .update(apiKeys)
      .set({ noticeAtMs: to })
      .where(and(eq(apiKeys.id, id), eq(apiKeys.noticeAtMs, from), isNull(apiKeys.revokedAtMs))),
  );
  return rows === 1;
}

/** Erases the machines of an account with their keys, and their names. */
export async function eraseMachines(tx: AccessTransaction, accountId: number): Promise<void> {
  const { apiKeys, machines, members } = tx.tables;
  const rows = await tx
    .select({ id: machines.memberId })
    .from(machines)
    .where(eq(machines.accountId, accountId));
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await tx.write(tx.delete(apiKeys).where(inArray(apiKeys.machineId, ids)));
  await tx.write(tx.delete(machines).where(inArray(machines.memberId, ids)));
  await tx.write(tx.update(members).set({ firstName: '' }).where(inArray(members.id, ids)));
}
