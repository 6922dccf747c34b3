import { isVisible, storableText } from '@gatehouse/auth-core';
import { scimIdIn } from '@gatehouse/db/queries/scim-filter';
import { USER_LETTER } from '@gatehouse/db/queries/scim-users';
import { fieldOf, isChosen, isObject, noTarget, type PatchOperation } from './patch-operations.js';
import { invalidValue, ScimError } from './scim-error.js';

const MAX_MEMBERS = 10_000;
const MAX_NAME = 255;

/** What a directory says of a group. */
export interface GroupFields {
  displayName: string;
  externalId: string | null;
  /** Ids of users. */
  members: Set<number>;
}

const name = storableText(MAX_NAME).refine(isVisible);

function displayNameOf(value: unknown): string {
  const parsed = name.safeParse(value);
  if (!parsed.success) throw invalidValue('displayName must be visible text of at most 255 characters');
  return parsed.data;
}

const externalId = storableText(MAX_NAME);

function externalIdOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  const parsed = externalId.safeParse(value);
  if (!parsed.success) throw invalidValue('externalId must be text of at most 255 characters');
  return parsed.data;
}

/**
 * The ids in a list of members, one member, or their ids alone.
 * @throws {ScimError} `invalidValue` for what is no id of a user
 */
function memberIds(value: unknown): number[] {
  if (value === null || value === undefined) return [];
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  return entries.map((each) => {
    const sent = isObject(each) ? fieldOf(each, 'value') : each;
    const id = typeof sent === 'string' ? scimIdIn(USER_LETTER, sent) : undefined;
    if (id === undefined) throw invalidValue('Each member is an object with the id of a user as its value');
    return id;
  });
}

function requireFew(members: ReadonlySet<number>): void {
  if (members.size > MAX_MEMBERS) throw invalidValue('A group has at most 10,000 members');
}

/** What a POST or PUT says of a group. */
export function groupFieldsIn(body: Readonly<Record<string, unknown>>): GroupFields {
  const members = new Set(memberIds(fieldOf(body, 'members')));
  requireFew(members);
  return {
    displayName: displayNameOf(fieldOf(body, 'displayname')),
    externalId: externalIdOf(fieldOf(body, 'externalid')),
    members,
  };
}

/**
 * What a group is after the operations of a PATCH, as Entra and Okta send them.
 * @throws {ScimError} `noTarget`, `mutability`, `invalidValue`, `invalidPath`
 */
export function patchGroup(before: GroupFields, operations: readonly PatchOperation[]): GroupFields {
  const fields = { ...before, members: new Set(before.members) };
  for (const operation of operations) applyTo(fields, operation);
  requireFew(fields.members);
  return fields;
}

function applyTo(fields: GroupFields, operation: PatchOperation): void {
  const { op, target, value } = operation;
  switch (target.path) {
    case 'displayname':
      if (target.filter) throw noTarget(target.path);
      if (op === 'remove') throw new ScimError(400, 'mutability', 'displayName cannot be removed');
      fields.displayName = displayNameOf(value);
      return;
    case 'externalid':
      if (target.filter) throw noTarget(target.path);
      fields.externalId = op === 'remove' ? null : externalIdOf(value);
      return;
    case 'members':
      changeMembers(fields, operation);
      return;
    case 'id':
    case 'meta':
    case 'schemas':
      throw new ScimError(400, 'mutability', `${target.path} cannot be changed`);
    default:
      throw noTarget(target.path);
  }
}

function changeMembers({ members }: GroupFields, { op, target, value }: PatchOperation): void {
  const { filter, part } = target;
  if (part !== undefined) throw new ScimError(400, 'mutability', 'Members are added and removed as a whole');
  if (filter !== undefined) {
    if (op !== 'remove') throw new ScimError(400, 'invalidPath', 'A filter of members can only remove them');
    for (const id of members)
      if (isChosen(filter, { value: `${USER_LETTER}${id}`, type: 'User' })) members.delete(id);
    return;
  }
  const hasValue = value !== undefined && value !== null;
  if (op === 'replace' || (op === 'remove' && !hasValue)) members.clear();
  if (op === 'remove') for (const id of memberIds(value)) members.delete(id);
  else for (const id of memberIds(value)) members.add(id);
}
