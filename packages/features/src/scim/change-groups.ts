import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import {
  addGroupMembers,
  findScimGroup,
  insertScimGroup,
  isGroupNameTaken,
  listGroupMembers,
  removeGroupMembers,
  removeScimGroup,
  type ScimGroupRow,
  setScimGroup,
} from '@gatehouse/db/queries/scim-groups';
import {
  adoptScimUsers,
  listGroupsOfUsers,
  listScimUsersAmong,
  type ScimUserRow,
} from '@gatehouse/db/queries/scim-users';
import { type ChangeRecord, change } from '../audit/change.js';
import { type DirectoryChange, isBeyondDirectory } from './access-of-user.js';
import { changedSince } from './change-users.js';
import { type DirectoryRules, directoryRules, groupNameKey, roleIn } from './directory-rules.js';
import type { GroupFields } from './group-fields.js';
import { recordDirectory, recordPlace } from './record-directory.js';
import { byUser, groupResource, groupVersion, isVersion, type Resource } from './resources.js';
import { invalidValue, ScimError } from './scim-error.js';
import type { DirectoryContext, ScimRequest } from './scim-exchange.js';

/** The maximum number of roles that change with one request: each has its line in the audit log and its event. */
const MAX_ROLE_CHANGES = 1_000;

const TAKEN = 'There is a group with this displayName already';

/** The refusal of an id that no group has here. */
export function noGroup(): ScimError {
  return new ScimError(404, undefined, 'There is no such group');
}

function subjectsOf({ directory: { accountId } }: DirectoryContext) {
  return { lock: { accounts: [accountId] }, atAnyLevel: true } as const;
}

/** Whether the answer lists the members, who may be many. */
interface Shown {
  readonly withMembers: boolean;
}

/**
 * Makes a group.
 * @throws {ScimError} `uniqueness`, `invalidValue`, `tooMany`
 */
export function createGroup(
  { ctx, base }: ScimRequest,
  fields: GroupFields,
  shown: Shown,
): Promise<Resource> {
  const { accountId } = ctx.directory;
  return change(ctx, subjectsOf(ctx), async ({ tx, nowMs }) => {
    const changing = { ctx, tx, nowMs };
    const { displayName, externalId, members } = fields;
    const displayNameKey = groupNameKey(displayName);
    await requireFree(changing, displayNameKey, undefined);
    const group = { accountId, displayName, displayNameKey, externalId };
    const id = await insertScimGroup(tx, { ...group, nowMs }).catch((error: unknown) => {
      throw error instanceof DuplicateKeyError ? new ScimError(409, 'uniqueness', TAKEN) : error;
    });
    await recordGroup(changing, id, {
      action: 'scim.group-made',
      before: null,
      after: { displayName, members: members.size },
    });
    const added = await addMembers(changing, id, [...members]);
    await settleRoles(changing, added, [displayName]);
    return readGroup(changing, base, id, shown);
  });
}

/**
 * Changes a group, if it still has the version that the directory has read.
 * @throws {ScimError} 404, 412, `uniqueness`, `invalidValue`, `tooMany`
 */
export function changeGroup(
  { ctx, base, header }: ScimRequest,
  id: number,
  decide: (before: GroupFields) => GroupFields,
  shown: Shown,
): Promise<Resource> {
  return change(ctx, subjectsOf(ctx), async ({ tx, nowMs }) => {
    const changing = { ctx, tx, nowMs };
    const row = await requireGroup(changing, id, header);
    const present = new Set((await listGroupMembers(tx, [id])).map(({ membershipId }) => membershipId));
    const after = decide({ displayName: row.displayName, externalId: row.externalId, members: present });
    const { displayName, externalId, members } = after;
    const displayNameKey = groupNameKey(displayName);
    await requireFree(changing, displayNameKey, id);
    const addedIds = [...members].filter((each) => !present.has(each));
    const removedIds = [...present].filter((each) => !members.has(each));
    const isRenamed = displayName !== row.displayName;
    const isSame =
      !isRenamed && externalId === row.externalId && addedIds.length === 0 && removedIds.length === 0;
    if (!isSame) {
      await setScimGroup(tx, { id, displayName, displayNameKey, externalId, nowMs });
      const before = { displayName: row.displayName, members: present.size };
      await recordGroup(changing, id, {
        action: 'scim.group-changed',
        before,
        after: { displayName, members: members.size },
      });
      await addMembers(changing, id, addedIds);
      await removeGroupMembers(tx, { groupId: id, ids: removedIds });
      const affected = isRenamed ? [...new Set([...present, ...members])] : [...addedIds, ...removedIds];
      await settleRoles(changing, affected, [row.displayName, displayName]);
    }
    return readGroup(changing, base, id, shown);
  });
}

/**
 * Removes a group. Its members stay in the account, with the roles of their other groups.
 * @throws {ScimError} 404, 412, `tooMany`
 */
export function removeGroup({ ctx, header }: ScimRequest, id: number): Promise<void> {
  return change(ctx, subjectsOf(ctx), async ({ tx, nowMs }) => {
    const changing = { ctx, tx, nowMs };
    const { displayName } = await requireGroup(changing, id, header);
    const members = (await listGroupMembers(tx, [id])).map(({ membershipId }) => membershipId);
    await removeScimGroup(tx, id);
    await recordGroup(changing, id, {
      action: 'scim.group-removed',
      before: { displayName, members: members.length },
      after: null,
    });
    await settleRoles(changing, members, [displayName]);
  });
}

async function requireGroup(
  { ctx, tx }: DirectoryChange,
  id: number,
  header: ScimRequest['header'],
): Promise<ScimGroupRow> {
  const group = await findScimGroup(tx, { id, accountId: ctx.directory.accountId });
  if (group === undefined) throw noGroup();
  const sent = header('if-match');
  if (sent !== undefined && !isVersion(sent, groupVersion(group))) throw changedSince();
  return group;
}

async function requireFree(
  { ctx, tx }: DirectoryChange,
  displayNameKey: string,
  id: number | undefined,
): Promise<void> {
  const { accountId } = ctx.directory;
  if (await isGroupNameTaken(tx, { accountId, displayNameKey, id }))
    throw new ScimError(409, 'uniqueness', TAKEN);
}

/** Reads a group, inside a transaction or outside. */
export async function readGroup(
  { ctx, tx }: Pick<DirectoryChange, 'ctx'> & { readonly tx: DirectoryContext['services']['db'] },
  base: string,
  id: number,
  { withMembers }: Shown,
): Promise<Resource> {
  const group = await findScimGroup(tx, { id, accountId: ctx.directory.accountId });
  if (group === undefined) throw noGroup();
  const members = withMembers ? await listGroupMembers(tx, [id]) : undefined;
  return groupResource(
    base,
    group,
    members?.map(({ membershipId }) => membershipId),
  );
}

/** @throws {ScimError} `invalidValue` for an id that is no user of the account */
async function addMembers(
  { ctx, tx, nowMs }: DirectoryChange,
  groupId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { accountId } = ctx.directory;
  const users = await listScimUsersAmong(tx, { ids, accountId });
  const found = new Set(users.map(({ id }) => id));
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) throw invalidValue(`There is no user u${unknown}`);
  const unkept = users.filter(({ known }) => known === null);
  await adoptScimUsers(tx, { accountId, users: unkept, nowMs });
  await addGroupMembers(tx, { accountId, groupId, ids });
  return ids;
}

/**
 * Gives the users of changed groups the role that their groups give now. Groups that give none change no role, nor do those of
 * owners and account managers.
 * @param names of the changed groups
 * @throws {ScimError} `tooMany`
 */
async function settleRoles(
  changing: DirectoryChange,
  ids: readonly number[],
  names: readonly string[],
): Promise<void> {
  const { ctx, tx } = changing;
  const { accountId } = ctx.directory;
  const { roles } = ctx.services;
  const rules = await directoryRules(tx, roles, accountId);
  if (ids.length === 0 || !names.some((name) => rules.roleOfGroup.has(groupNameKey(name)))) return;
  const users = (await listScimUsersAmong(tx, { ids, accountId })).filter(
    ({ isActive, roleType }) => isActive && !isBeyondDirectory(roles, roleType),
  );
  const groups = byUser(
    await listGroupsOfUsers(
      tx,
      users.map(({ id }) => id),
    ),
  );
  const due = users.flatMap((user) => {
    const roleType = roleFor(changing, rules, groups.get(user.id) ?? []);
    return user.roleType === roleType && user.customRoleId === null ? [] : [{ user, roleType }];
  });
  if (due.length > MAX_ROLE_CHANGES)
    throw new ScimError(400, 'tooMany', 'This changes more than 1,000 roles at once: send it in parts');
  for (const { user, roleType } of due) await changeRole(changing, user, roleType);
  await changeAccess(tx, { members: due.map(({ user }) => user.memberId) }, () => Promise.resolve());
}

function roleFor(
  { ctx }: DirectoryChange,
  rules: DirectoryRules,
  groups: readonly { readonly displayName: string }[],
): number {
  return roleIn(
    ctx.services.roles,
    rules,
    groups.map(({ displayName }) => displayName),
  );
}

async function changeRole(
  { ctx, tx, nowMs }: DirectoryChange,
  { memberId, roleType: previous, customRoleId }: ScimUserRow,
  roleType: number,
): Promise<void> {
  const { accountId } = ctx.directory;
  await setMembership(tx, { memberId, accountId, roleType, nowMs });
  const before = { roleType: previous, customRoleId };
  const after = { roleType, customRoleId: null };
  await recordPlace(tx, ctx, { action: 'membership.changed', memberId, before, after }, nowMs);
}

function recordGroup(
  { ctx, tx, nowMs }: DirectoryChange,
  id: number,
  states: Pick<ChangeRecord, 'action' | 'before' | 'after'>,
): Promise<void> {
  return recordDirectory(tx, ctx, { subjectKind: 'group', subjectId: id, ...states }, nowMs);
}
