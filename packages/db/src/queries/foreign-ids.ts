import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { ForeignKind } from '../tables/member-tables.js';
import type { AccessTransaction } from './change-access.js';
import { type ImportOutcome, importProblems, insertNew, listIdsThere } from './insert-imported-rows.js';
import { lockMemberRow } from './lock-rows.js';
import { inIds } from './paging.js';
import { given, prepareRead } from './prepared.js';

/** The id of a member or an account in another system. */
export interface ImportedForeignId {
  kind: ForeignKind;
  source: string;
  foreignId: string;
  memberId: number | null;
  accountId: number | null;
  createdAtMs: number;
}

/** The ids of members or accounts here, by their ids in another system. */
export async function listForeignOwners(
  db: Pick<Database, 'select' | 'tables'>,
  { kind, source, foreignIds }: { kind: ForeignKind; source: string; foreignIds: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  if (foreignIds.length === 0) return new Map();
  const { foreignIds: table } = db.tables;
  const { foreignId, memberId, accountId } = table;
  const rows = await db
    .select({ foreignId, memberId, accountId })
    .from(table)
    .where(
      and(eq(table.kind, kind), eq(table.source, source), inArray(table.foreignId, [...new Set(foreignIds)])),
    );
  return new Map(rows.map((row) => [row.foreignId, row.memberId ?? row.accountId ?? 0]));
}

/**
 * The members whom these ids of another system belong to, and whether their ways to sign in are still those of the import: they may have removed
 * some once they have signed in.
 */
export async function listForeignMembers(
  db: Pick<Database, 'select' | 'tables'>,
  { source, foreignIds }: { source: string; foreignIds: readonly string[] },
): Promise<ReadonlyMap<string, { id: number; isAsImported: boolean }>> {
  if (foreignIds.length === 0) return new Map();
  const { foreignIds: table, members } = db.tables;
  const { foreignId, createdAtMs: importedAtMs } = table;
  const { id, isPersonnel, lastLoginAtMs, ownerProvenAtMs } = members;
  const rows = await db
    .select({ foreignId, id, importedAtMs, isPersonnel, lastLoginAtMs, ownerProvenAtMs })
    .from(table)
    .innerJoin(members, eq(id, table.memberId))
    .where(
      and(eq(table.kind, 'member'), eq(table.source, source), inArray(foreignId, [...new Set(foreignIds)])),
    );
  return new Map(
    rows.map((row) => {
      // An import marks members as proven at the moment it adds them. A later proof belongs to a member who was merged with a
      // person, or whose proof ended what the import added.
      const isOwn = row.ownerProvenAtMs === null || row.ownerProvenAtMs === row.importedAtMs;
      return [
        row.foreignId,
        { id: row.id, isAsImported: isOwn && !row.isPersonnel && row.lastLoginAtMs === null },
      ];
    }),
  );
}

/** Adds ids of other systems and leaves existing ones unchanged. */
export async function importForeignIds(
  tx: AccessTransaction,
  rows: readonly ImportedForeignId[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { accounts, foreignIds, members } = tx.tables;
  const there = await listForeignRows(tx, rows);
  const people = await listIdsThere(
    tx,
    members,
    rows.flatMap(({ memberId }) => memberId ?? []),
  );
  const places = await listIdsThere(
    tx,
    accounts,
    rows.flatMap(({ accountId }) => accountId ?? []),
  );
  return insertNew(tx, foreignIds, rows, {
    check(row) {
      const { memberId, accountId } = row;
      if (memberId !== null && !people.has(memberId)) return importProblems.noMember(memberId);
      if (accountId !== null && !places.has(accountId)) return importProblems.noAccount(accountId);
      return checkForeignId(row, there);
    },
    checkAgain: async (row) => checkForeignId(row, await listForeignRows(tx, [row])),
  });
}

/** Whether an id of another system is known, or belongs to somebody else. Undefined if it can be added. */
export function checkForeignId(
  row: Omit<ImportedForeignId, 'createdAtMs'>,
  there: ReadonlyMap<string, number>,
): ImportOutcome | undefined {
  const owner = there.get(foreignKey(row));
  if (owner === undefined) return undefined;
  return owner === (row.memberId ?? row.accountId)
    ? 'there'
    : importProblems.foreignIdIsTaken(row.kind, owner);
}

/** The owners of those ids that are known, by `foreignKey`. */
export async function listForeignRows(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly Omit<ImportedForeignId, 'createdAtMs'>[],
): Promise<ReadonlyMap<string, number>> {
  const known = new Map<string, number>();
  for (const kind of ['member', 'account'] as const)
    for (const source of new Set(rows.map((row) => row.source))) {
      const own = rows.filter((row) => row.kind === kind && row.source === source);
      const foreignIds = own.map(({ foreignId }) => foreignId);
      for (const [foreignId, owner] of await listForeignOwners(db, { kind, source, foreignIds }))
        known.set(foreignKey({ kind, source, foreignId }), owner);
    }
  return known;
}

/** One text for an id of another system. */
export function foreignKey(row: { kind: ForeignKind; source: string; foreignId: string }): string {
  return `${row.kind} ${row.source} ${row.foreignId}`;
}

/** What a member is called in another system. */
export interface ForeignId {
  source: string;
  id: string;
}

/** No more ids of one member are shown. */
export const MAX_FOREIGN_IDS = 50;

const preparedForeignIds = prepareRead<ForeignId, { memberId: number }>((db) => {
  const { id, source, foreignId, memberId } = db.tables.foreignIds;
  return db
    .select({ source, id: foreignId })
    .from(db.tables.foreignIds)
    .where(eq(memberId, given(memberId, 'memberId')))
    .orderBy(asc(id))
    .limit(MAX_FOREIGN_IDS);
});

/** The first ids of a member in other systems, the oldest first. */
export function listForeignIdsOf(db: Database, memberId: number): Promise<ForeignId[]> {
  return preparedForeignIds(db, { memberId });
}

/** The first ids of each of these members in other systems, the oldest first; nothing for a member who has none. */
export async function listForeignIds(
  db: Database,
  memberIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ForeignId[]>> {
  if (memberIds.length === 0) return new Map();
  const { id, source, foreignId, memberId } = db.tables.foreignIds;
  const rows = await db
    .select({ memberId, source, id: foreignId })
    .from(db.tables.foreignIds)
    .where(inIds(db, memberId, memberIds))
    .orderBy(asc(memberId), asc(id))
    .limit(memberIds.length * MAX_FOREIGN_IDS);
  const byMember = new Map<number, ForeignId[]>();
  for (const { memberId: owner, ...row } of rows) {
    const own = byMember.get(owner ?? 0) ?? [];
    if (own.length < MAX_FOREIGN_IDS) own.push(row);
    byMember.set(owner ?? 0, own);
  }
  return byMember;
}

/** The select of the ids of a member in other systems, the oldest first. */
export function selectForeignIdsOf(db: Database) {
  const { foreignIds } = db.tables;
  const { id, source, foreignId } = foreignIds;
  return db
    .select({ id, source, foreignId })
    .from(foreignIds)
    .where(eq(foreignIds.memberId, sql.placeholder('memberId')))
    .orderBy(asc(id))
    .limit(sql.placeholder('limit'));
}

/** A member who has an address, for an import that may join them. */
export interface AddressHolder {
  id: number;
  emailKey: string;
  /** Whether the owner of the address is proven to own the member. */
  isProven: boolean;
  isPersonnel: boolean;
  isDeleted: boolean;
}

/** The members with one of these addresses, by its key. */
export async function listAddressHolders(
  db: Database,
  emailKeys: readonly string[],
): Promise<ReadonlyMap<string, AddressHolder>> {
  if (emailKeys.length === 0) return new Map();
  const { members } = db.tables;
  const { id, emailKey, emailConfirmedAtMs, ownerProvenAtMs, isPersonnel, isDeleted } = members;
  const rows = await db
    .select({ id, emailKey, emailConfirmedAtMs, ownerProvenAtMs, isPersonnel, isDeleted })
    .from(members)
    .where(inArray(emailKey, [...new Set(emailKeys)]));
  return new Map(
    rows.map(({ emailConfirmedAtMs: confirmedAtMs, ownerProvenAtMs: provenAtMs, ...row }) => {
      const key = row.emailKey ?? '';
      return [key, { ...row, emailKey: key, isProven: confirmedAtMs !== null && provenAtMs !== null }];
    }),
  );
}

/**
 * Locks the members with whom an import merges people, and returns those that still have the address, are proven, not deleted,
 * and not staff.
 */
export async function lockJoinableMembers(
  tx: Database,
  asked: readonly { readonly memberId: number; readonly emailKey: string }[],
): Promise<ReadonlySet<number>> {
  if (asked.length === 0) return new Set();
  for (const memberId of [...new Set(asked.map((each) => each.memberId))].sort((a, b) => a - b))
    await lockMemberRow(tx, memberId, 'share');
  const holders = await listAddressHolders(
    tx,
    asked.map(({ emailKey }) => emailKey),
  );
  return new Set(
    asked.flatMap(({ memberId, emailKey }) => {
      const holder = holders.get(emailKey);
      const isIt = holder?.id === memberId && holder.isProven && !holder.isPersonnel && !holder.isDeleted;
      return isIt ? [memberId] : [];
    }),
  );
}
