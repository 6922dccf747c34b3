import { and, asc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm';
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

/** The letter that ids of users begin with: the number is that of a membership. */
export const USER_LETTER = 'u';

/** The letter that ids of groups begin with. */
export const GROUP_LETTER = 'g';

/** A member of an account, as its directory sees them. */
export interface ScimUserRow {
  /** The id of the membership, which no removal changes. */
  readonly id: number;
  readonly memberId: number;
  readonly email: string;
  readonly roleType: number;
  readonly customRoleId: number | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  /** Whether the membership gives access. */
  readonly isActive: boolean;
  /** Whether it is removed. One that is neither active nor removed was switched off. */
  readonly isRemoved: boolean;
  /** Whether the directory has switched it off, and nobody has changed that since. */
  readonly isSwitchedOff: boolean;
  readonly joinedAtMs: number;
  readonly changedAtMs: number;
  /** The account that brought them into the service; null for people who came by themselves. */
  readonly managedByAccountId: number | null;
  /** The directory's data about them; null if there is none. */
  readonly known: ScimUserFields | null;
}

/** A directory's data about a user. */
export interface ScimUserFields {
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly displayName: string | null;
  readonly email: string | null;
}

function expressions({ tables: { memberships, members, scimUsers } }: Database) {
  const changedAtMs = sql`case when ${scimUsers.updatedAtMs} > ${memberships.updatedAtMs} then ${scimUsers.updatedAtMs} else ${memberships.updatedAtMs} end`;
  return {
    isActive: sql`(${memberships.isDeleted} = ${false} and ${memberships.active} = ${true})`,
    joinedAtMs: sql`coalesce(${scimUsers.createdAtMs}, ${memberships.createdAtMs})`,
    changedAtMs,
    givenName: sql`coalesce(${scimUsers.givenName}, ${members.firstName})`,
    familyName: sql`coalesce(${scimUsers.familyName}, ${members.lastName})`,
    email: sql`coalesce(${scimUsers.email}, ${members.email})`,
  };
}

/** What filters of users can name. */
function userAttributes(db: Database, emailKey: (text: string) => string): ScimAttributes {
  const { memberships, members, scimGroupMembers, scimGroups, scimUsers } = db.tables;
  const { isActive, joinedAtMs, changedAtMs, givenName, familyName, email } = expressions(db);
  const wholeName =
    db.dialect === 'libsql'
      ? sql`trim(${givenName} || ' ' || ${familyName})`
      : sql`trim(concat(${givenName}, ' ', ${familyName}))`;
  return {
    id: idAttribute(db, USER_LETTER, sql`${memberships.id}`),
    schemas: constantAttribute('urn:ietf:params:scim:schemas:core:2.0:User'),
    externalid: { kind: 'exact', sql: sql`${scimUsers.externalId}` },
    username: {
      kind: 'text',
      sql: sql`${members.email}`,
      equals: (value) => eq(members.emailKey, emailKey(value)),
    },
    'name.givenname': { kind: 'text', sql: givenName },
    'name.familyname': { kind: 'text', sql: familyName },
    'name.formatted': { kind: 'text', sql: wholeName },
    displayname: { kind: 'text', sql: sql`coalesce(${scimUsers.displayName}, ${wholeName})` },
    active: { kind: 'flag', sql: isActive },
    emails: {
      kind: 'only',
      attributes: {
        value: { kind: 'text', sql: email },
        type: constantAttribute('work'),
        primary: { kind: 'flag', sql: sql`1 = 1` },
      },
    },
    groups: {
      kind: 'rows',
      attributes: {
        value: idAttribute(db, GROUP_LETTER, sql`${scimGroupMembers.groupId}`),
        display: { kind: 'text', sql: sql`${scimGroups.displayName}` },
        type: constantAttribute('direct'),
      },
      some: (condition) =>
        sql`exists (select 1 from ${scimGroupMembers} inner join ${scimGroups} on ${scimGroups.id} = ${scimGroupMembers.groupId} where ${scimGroupMembers.membershipId} = ${memberships.id} and (${condition}))`,
    },
    'meta.resourcetype': constantAttribute('User'),
    'meta.created': { kind: 'instant', sql: joinedAtMs },
    'meta.lastmodified': { kind: 'instant', sql: changedAtMs },
  };
}

/**
 * True for users of an account's directory: its members with an address who are not staff, and whom the directory has not
 * deleted.
 */
function isUser({ tables }: Database, accountId: number): SQL | undefined {
  const { memberships, members, scimUsers } = tables;
  return and(
    eq(memberships.accountId, accountId),
    eq(members.isDeleted, false),
    eq(members.isPersonnel, false),
    isNotNull(members.email),
    or(eq(scimUsers.isDeleted, false), and(eq(memberships.isDeleted, false), eq(memberships.active, true))),
  );
}

function selectUsers(db: Database) {
  const { memberships, members, scimUsers } = db.tables;
  const { isActive, joinedAtMs, changedAtMs } = expressions(db);
  return db
    .select({
      id: memberships.id,
      memberId: memberships.memberId,
      email: members.email,
      roleType: memberships.roleType,
      customRoleId: memberships.customRoleId,
      firstName: members.firstName,
      lastName: members.lastName,
      username: members.username,
      managedByAccountId: members.managedByAccountId,
      isActive: isActive.mapWith(Boolean),
      isRemoved: memberships.isDeleted,
      isSwitchedOff: memberships.endedByDirectory,
      joinedAtMs: joinedAtMs.mapWith(Number),
      changedAtMs: changedAtMs.mapWith(Number),
      known: {
        // The builder treats the object as null if its first column is null.
        isDeleted: scimUsers.isDeleted,
        externalId: scimUsers.externalId,
        givenName: scimUsers.givenName,
        familyName: scimUsers.familyName,
        displayName: scimUsers.displayName,
        email: scimUsers.email,
      },
    })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .leftJoin(scimUsers, eq(scimUsers.membershipId, memberships.id));
}

type Selected = Awaited<ReturnType<typeof selectUsers>>[number];

function toUser({ email, known, ...row }: Selected): ScimUserRow {
  return { ...row, email: email ?? '', known: known?.isDeleted === false ? known : null };
}

/** A page of the users of an account that a filter finds, by ascending id. */
export async function listScimUsers(
  db: Database,
  {
    accountId,
    filter,
    emailKey,
    offset,
    limit,
  }: {
    accountId: number;
    filter: ScimFilter | undefined;
    emailKey: (text: string) => string;
    offset: number;
    limit: number;
  },
): Promise<ScimUserRow[]> {
  if (limit === 0) return [];
  const condition = filter && scimCondition(userAttributes(db, emailKey), filter);
  const rows = await selectUsers(db)
    .where(and(isUser(db, accountId), condition))
    .orderBy(asc(db.tables.memberships.id))
    .limit(limit)
    .offset(offset);
  return rows.map(toUser);
}

/** How many users a filter finds. */
export async function countScimUsers(
  db: Database,
  {
    accountId,
    filter,
    emailKey,
  }: { accountId: number; filter: ScimFilter | undefined; emailKey: (text: string) => string },
): Promise<number> {
  const { memberships, members, scimUsers } = db.tables;
  const condition = filter && scimCondition(userAttributes(db, emailKey), filter);
  const [row] = await db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .leftJoin(scimUsers, eq(scimUsers.membershipId, memberships.id))
    .where(and(isUser(db, accountId), condition));
  return row?.count ?? 0;
}

/** A user of an account. */
export async function findScimUser(
  db: Database,
  { id, accountId }: { id: number; accountId: number },
): Promise<ScimUserRow | undefined> {
  const [row] = await selectUsers(db).where(and(isUser(db, accountId), eq(db.tables.memberships.id, id)));
  return row && toUser(row);
}

/** The directory user that a member is in an account. */
export async function findScimUserOf(
  db: Database,
  { memberId, accountId }: { memberId: number; accountId: number },
): Promise<ScimUserRow | undefined> {
  const isTheirs = eq(db.tables.memberships.memberId, memberId);
  const [row] = await selectUsers(db).where(and(isUser(db, accountId), isTheirs));
  return row && toUser(row);
}

/** Which of some ids are those of users of an account, with their members. */
export async function listScimUsersAmong(
  db: Database,
  { ids, accountId }: { ids: readonly number[]; accountId: number },
): Promise<ScimUserRow[]> {
  if (ids.length === 0) return [];
  const rows = await selectUsers(db).where(
    and(isUser(db, accountId), inIds(db, db.tables.memberships.id, ids)),
  );
  return rows.map(toUser);
}

/** Stores the directory's data about a user, even one whom it had deleted. */
export async function setScimUser(
  tx: AccessTransaction,
  {
    membershipId,
    accountId,
    memberId,
    nowMs,
    ...fields
  }: ScimUserFields & { membershipId: number; accountId: number; memberId: number; nowMs: number },
): Promise<void> {
  const { scimUsers } = tx.tables;
  const row = { ...fields, isDeleted: false, updatedAtMs: nowMs };
  const update = () =>
    tx.write(tx.update(scimUsers).set(row).where(eq(scimUsers.membershipId, membershipId)));
  if ((await update()) > 0) return;
  await tx.insert(scimUsers, { ...row, membershipId, accountId, memberId, createdAtMs: nowMs });
}

/** Whether another user of the account has the name in its directory. */
export async function isExternalIdTaken(
  db: Database,
  {
    accountId,
    externalId,
    membershipId,
  }: { accountId: number; externalId: string; membershipId: number | undefined },
): Promise<boolean> {
  const { scimUsers } = db.tables;
  const [row] = await db
    .select({ membershipId: scimUsers.membershipId })
    .from(scimUsers)
    .where(and(eq(scimUsers.accountId, accountId), eq(scimUsers.externalId, externalId)));
  return row !== undefined && row.membershipId !== membershipId;
}

/** Deletes a user in the directory, out of all groups. The row stays, so that the same id can come back. */
export async function deleteScimUser(
  tx: AccessTransaction,
  {
    membershipId,
    accountId,
    memberId,
    nowMs,
  }: { membershipId: number; accountId: number; memberId: number; nowMs: number },
): Promise<void> {
  const { scimGroupMembers, scimGroups, scimUsers } = tx.tables;
  const nothing = {
    externalId: null,
    givenName: null,
    familyName: null,
    displayName: null,
    email: null,
    isDeleted: true,
    updatedAtMs: nowMs,
  };
  const rows = await tx.write(
    tx.update(scimUsers).set(nothing).where(eq(scimUsers.membershipId, membershipId)),
  );
  if (rows === 0)
    await tx.insert(scimUsers, { ...nothing, membershipId, accountId, memberId, createdAtMs: nowMs });
  const isTheirs = eq(scimGroupMembers.membershipId, membershipId);
  const groups = await tx.select({ id: scimGroupMembers.groupId }).from(scimGroupMembers).where(isTheirs);
  await tx.write(
    tx
      .update(scimGroups)
      .set({ version: sql`${scimGroups.version} + 1`, updatedAtMs: nowMs })
      .where(
        inIds(
          tx,
          scimGroups.id,
          groups.map(({ id }) => id),
        ),
      ),
  );
  await tx.write(tx.delete(scimGroupMembers).where(isTheirs));
}

/** A membership, removed ones included: its id, and whether it was switched off, which a removal does not change. */
export async function findPlace(
  db: Database,
  { memberId, accountId }: { memberId: number; accountId: number },
): Promise<{ readonly id: number; readonly isOff: boolean; readonly isRemoved: boolean } | undefined> {
  const { memberships } = db.tables;
  const [row] = await db
    .select({ id: memberships.id, active: memberships.active, isRemoved: memberships.isDeleted })
    .from(memberships)
    .where(and(eq(memberships.memberId, memberId), eq(memberships.accountId, accountId)));
  return row && { id: row.id, isOff: !row.active, isRemoved: row.isRemoved };
}

/** The groups of some users. */
export async function listGroupsOfUsers(
  db: Database,
  ids: readonly number[],
): Promise<{ membershipId: number; groupId: number; displayName: string }[]> {
  if (ids.length === 0) return [];
  const { scimGroupMembers, scimGroups } = db.tables;
  const { membershipId, groupId } = scimGroupMembers;
  return db
    .select({ membershipId, groupId, displayName: scimGroups.displayName })
    .from(scimGroupMembers)
    .innerJoin(scimGroups, eq(scimGroups.id, groupId))
    .where(inIds(db, membershipId, ids))
    .orderBy(asc(groupId));
}

/** Erases all directory data about a member. */
export async function eraseScimUser(tx: AccessTransaction, memberId: number): Promise<void> {
  const { scimGroupMembers, scimUsers } = tx.tables;
  const rows = await tx
    .select({ id: scimUsers.membershipId })
    .from(scimUsers)
    .where(eq(scimUsers.memberId, memberId));
  const ids = rows.map(({ id }) => id);
  await tx.write(tx.delete(scimGroupMembers).where(inIds(tx, scimGroupMembers.membershipId, ids)));
  await tx.write(tx.delete(scimUsers).where(eq(scimUsers.memberId, memberId)));
}

const AT_ONCE = 500;

/** Records members whom the directory did not know, or has deleted, as its users. */
export async function adoptScimUsers(
  tx: AccessTransaction,
  {
    accountId,
    users,
    nowMs,
  }: { accountId: number; users: readonly Pick<ScimUserRow, 'id' | 'memberId'>[]; nowMs: number },
): Promise<void> {
  const { scimUsers } = tx.tables;
  const ids = users.map(({ id }) => id);
  const isKept = inIds(tx, scimUsers.membershipId, ids);
  const kept = await tx.select({ id: scimUsers.membershipId }).from(scimUsers).where(isKept);
  await tx.write(tx.update(scimUsers).set({ isDeleted: false, updatedAtMs: nowMs }).where(isKept));
  const keptIds = new Set(kept.map(({ id }) => id));
  const others = users.filter(({ id }) => !keptIds.has(id));
  for (let at = 0; at < others.length; at += AT_ONCE)
    await tx.insertMany(
      scimUsers,
      others.slice(at, at + AT_ONCE).map(({ id: membershipId, memberId }) => ({
        membershipId,
        memberId,
        accountId,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      })),
    );
}
