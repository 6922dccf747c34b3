import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { inIds } from './paging.js';
import {
  constantAttribute,
  idAttribute,
  type ScimAttributes,
  type ScimFilter,
  scimCondition,
} from './scim-filter.js';
import { GROUP_LETTER, USER_LETTER } from './scim-users.js';

/** A group of an account's directory. */
export interface ScimGroupRow {
  readonly id: number;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

function groupColumns({ tables: { scimGroups } }: Database) {
  const { id, displayName, externalId, version, createdAtMs, updatedAtMs } = scimGroups;
  return { id, displayName, externalId, version, createdAtMs, updatedAtMs };
}

/** What filters of groups can name. */
function groupAttributes(db: Database, nameKey: (text: string) => string): ScimAttributes {
  const { members, memberships, scimGroupMembers, scimGroups } = db.tables;
  return {
    id: idAttribute(db, GROUP_LETTER, sql`${scimGroups.id}`),
    schemas: constantAttribute('urn:ietf:params:scim:schemas:core:2.0:Group'),
    externalid: { kind: 'exact', sql: sql`${scimGroups.externalId}` },
    displayname: {
      kind: 'text',
      sql: sql`${scimGroups.displayName}`,
      equals: (value) => eq(scimGroups.displayNameKey, nameKey(value)),
    },
    members: {
      kind: 'rows',
      attributes: {
        value: idAttribute(db, USER_LETTER, sql`${scimGroupMembers.membershipId}`),
        display: { kind: 'text', sql: sql`${members.email}` },
        type: constantAttribute('User'),
      },
      some: (condition) =>
        sql`exists (select 1 from ${scimGroupMembers} inner join ${memberships} on ${memberships.id} = ${scimGroupMembers.membershipId} inner join ${members} on ${members.id} = ${memberships.memberId} where ${scimGroupMembers.groupId} = ${scimGroups.id} and (${condition}))`,
    },
    'meta.resourcetype': constantAttribute('Group'),
    'meta.created': { kind: 'instant', sql: sql`${scimGroups.createdAtMs}` },
    'meta.lastmodified': { kind: 'instant', sql: sql`${scimGroups.updatedAtMs}` },
  };
}

interface GroupFilter {
  accountId: number;
  filter: ScimFilter | undefined;
  nameKey: (text: string) => string;
}

function isFound(db: Database, { accountId, filter, nameKey }: GroupFilter): SQL | undefined {
  const condition = filter && scimCondition(groupAttributes(db, nameKey), filter);
  return and(eq(db.tables.scimGroups.accountId, accountId), condition);
}

/** A page of the groups of an account that a filter finds, by ascending id. */
export async function listScimGroups(
  db: Database,
  { offset, limit, ...filter }: GroupFilter & { offset: number; limit: number },
): Promise<ScimGroupRow[]> {
  const { scimGroups } = db.tables;
  if (limit === 0) return [];
  return db
    .select(groupColumns(db))
    .from(scimGroups)
    .where(isFound(db, filter))
    .orderBy(asc(scimGroups.id))
    .limit(limit)
    .offset(offset);
}

/** How many groups a filter finds. */
export async function countScimGroups(db: Database, filter: GroupFilter): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(db.tables.scimGroups)
    .where(isFound(db, filter));
  return row?.count ?? 0;
}

export async function findScimGroup(
  db: Database,
  { id, accountId }: { id: number; accountId: number },
): Promise<ScimGroupRow | undefined> {
  const { scimGroups } = db.tables;
  const [row] = await db
    .select(groupColumns(db))
    .from(scimGroups)
    .where(and(eq(scimGroups.id, id), eq(scimGroups.accountId, accountId)));
  return row;
}

/** Whether another group of the account has the name. */
export async function isGroupNameTaken(
  db: Database,
  { accountId, displayNameKey, id }: { accountId: number; displayNameKey: string; id: number | undefined },
): Promise<boolean> {
  const { scimGroups } = db.tables;
  const [row] = await db
    .select({ id: scimGroups.id })
    .from(scimGroups)
    .where(and(eq(scimGroups.accountId, accountId), eq(scimGroups.displayNameKey, displayNameKey)));
  return row !== undefined && row.id !== id;
}

interface GroupFields {
  readonly displayName: string;
  readonly displayNameKey: string;
  readonly externalId: string | null;
}

export function insertScimGroup(
  tx: AccessTransaction,
  { nowMs, ...group }: GroupFields & { accountId: number; nowMs: number },
): Promise<number> {
  return tx.insert(tx.tables.scimGroups, { ...group, createdAtMs: nowMs, updatedAtMs: nowMs });
}

/** Changes a group, which has a new version then. */
export async function setScimGroup(
  tx: AccessTransaction,
  { id, nowMs, ...fields }: GroupFields & { id: number; nowMs: number },
): Promise<void> {
  const { scimGroups } = tx.tables;
  await tx.write(
    tx
      .update(scimGroups)
      .set({ ...fields, version: sql`${scimGroups.version} + 1`, updatedAtMs: nowMs })
      .where(eq(scimGroups.id, id)),
  );
}

export async function removeScimGroup(tx: AccessTransaction, id: number): Promise<void> {
  const { scimGroupMembers, scimGroups } = tx.tables;
  await tx.write(tx.delete(scimGroupMembers).where(eq(scimGroupMembers.groupId, id)));
  await tx.write(tx.delete(scimGroups).where(eq(scimGroups.id, id)));
}

/** The users in some groups, by ascending id. */
export async function listGroupMembers(
  db: Database,
  groupIds: readonly number[],
): Promise<{ groupId: number; membershipId: number }[]> {
  if (groupIds.length === 0) return [];
  const { groupId, membershipId } = db.tables.scimGroupMembers;
  return db
    .select({ groupId, membershipId })
    .from(db.tables.scimGroupMembers)
    .where(inIds(db, groupId, groupIds))
    .orderBy(asc(groupId), asc(membershipId));
}

/** How many users are in each of some groups; groups without any are absent. */
export async function countGroupMembers(
  db: Database,
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (groupIds.length === 0) return new Map();
  const { groupId } = db.tables.scimGroupMembers;
  const rows = await db
    .select({ groupId, count: sql<number>`count(*)`.mapWith(Number) })
    .from(db.tables.scimGroupMembers)
    .where(inIds(db, groupId, groupIds))
    .groupBy(groupId);
  return new Map(rows.map((row) => [row.groupId, row.count]));
}

const AT_ONCE = 500;

/** Adds users to a group who are not in it. */
export async function addGroupMembers(
  tx: AccessTransaction,
  { accountId, groupId, ids }: { accountId: number; groupId: number; ids: readonly number[] },
): Promise<void> {
  for (let at = 0; at < ids.length; at += AT_ONCE)
    await tx.insertMany(
      tx.tables.scimGroupMembers,
      ids.slice(at, at + AT_ONCE).map((membershipId) => ({ accountId, groupId, membershipId })),
    );
}

export async function removeGroupMembers(
  tx: AccessTransaction,
  { groupId, ids }: { groupId: number; ids: readonly number[] },
): Promise<void> {
  const { scimGroupMembers } = tx.tables;
  if (ids.length === 0) return;
  await tx.write(
    tx
      .delete(scimGroupMembers)
      .where(and(eq(scimGroupMembers.groupId, groupId), inIds(tx, scimGroupMembers.membershipId, ids))),
  );
}

/** Erases the directory data of an account. */
export async function eraseScimDirectory(tx: AccessTransaction, accountId: number): Promise<void> {
  const { scimGroupMembers, scimGroups, scimUsers } = tx.tables;
  await tx.write(tx.delete(scimGroupMembers).where(eq(scimGroupMembers.accountId, accountId)));
  await tx.write(tx.delete(scimGroups).where(eq(scimGroups.accountId, accountId)));
  await tx.write(tx.delete(scimUsers).where(eq(scimUsers.accountId, accountId)));
}
