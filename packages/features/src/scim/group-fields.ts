import { isVisible, storableText } from '@gatehouse/auth-core';
import { type ScimFilter, scimIdIn } from '@gatehouse/db/queries/scim-filter';
import { USER_LETTER } from '@gatehouse/db/queries/scim-users';
import { groupNameKey } from './directory-rules.js';
import {
  comparisonsIn,
  fieldOf,
  isChosen,
  isObject,
  noTarget,
  type PatchOperation,
} from './patch-operations.js';
import { invalidValue, ScimError } from './scim-error.js';

const MAX_MEMBERS = 10_000;
const MAX_NAME = 255;
/** The form in which names are compared is longer if it contains a character that stands for many. */
const MAX_NAME_KEY = 640;
/** The maximum number of comparisons of members in the filters of one request. */
const MAX_COMPARISONS = 100_000;

/** The fields of a group that a directory sends. */
export interface GroupFields {
  displayName: string;
  externalId: string | null;
  /** Ids of users. */
  members: Set<number>;
}

const name = storableText(MAX_NAME).refine(isVisible);

function displayNameOf(value: unknown): string {
  const parsed = name.safeParse(value);
  if (!parsed.success || groupNameKey(parsed.data).length > MAX_NAME_KEY)
    throw invalidValue('displayName must be visible text of at most 255 characters');
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
 * @throws {ScimError} `invalidValue` for anything but the id of a user
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

/** The fields of a group in a POST or PUT. */
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
 * The state of a group after the operations of a PATCH, as Entra and Okta send them.
 * @throws {ScimError} `noTarget`, `mutability`, `invalidValue`, `invalidPath`
 */
export function patchGroup(before: GroupFields, operations: readonly PatchOperation[]): GroupFields {
  const fields = { ...before, members: new Set(before.members) };
  const budget = { comparisons: MAX_COMPARISONS };
  for (const operation of operations) applyTo(fields, operation, budget);
  requireFew(fields.members);
  return fields;
}

/** How many comparisons a request may still make. */
interface Budget {
  comparisons: number;
}

function applyTo(fields: GroupFields, operation: PatchOperation, budget: Budget): void {
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
      changeMembers(fields, operation, budget);
      return;
    case 'id':
    case 'meta':
    case 'schemas':
      throw new ScimError(400, 'mutability', `${target.path} cannot be changed`);
    default:
      throw noTarget(target.path);
  }
}

/** The one member whom a filter names, as directories write it; undefined for another filter. */
function namedIn(filter: ScimFilter): string | undefined {
  if (filter.kind !== 'compare' || filter.path !== 'value' || filter.op !== 'eq') return undefined;
  return typeof filter.value === 'string' ? filter.value.toLowerCase() : undefined;
}

/** @throws {ScimError} `tooMany` */
function removeChosen(members: Set<number>, filter: ScimFilter, budget: Budget): void {
  const named = namedIn(filter);
  if (named !== undefined) {
    const id = scimIdIn(USER_LETTER, named);
    if (id !== undefined) members.delete(id);
    return;
  }
  budget.comparisons -= members.size * comparisonsIn(filter);
  if (budget.comparisons < 0)
    throw new ScimError(400, 'tooMany', 'The filters of members compare too much: name the members instead');
  for (const id of members)
    if (isChosen(filter, { value: `${USER_LETTER}${id}`, type: 'User' })) members.delete(id);
}

function changeMembers(
  { members }: GroupFields,
  { op, target, value }: PatchOperation,
  budget: Budget,
): void {
  const { filter, part } = target;
  if (part !== undefined) throw new ScimError(400, 'mutability', 'Members are added and removed as a whole');
  if (filter !== undefined) {
    if (op !== 'remove') throw new ScimError(400, 'invalidPath', 'A filter of members can only remove them');
    removeChosen(members, filter, budget);
    return;
  }
  const hasValue = value !== undefined && value !== null;
  if (op === 'replace' || (op === 'remove' && !hasValue)) members.clear();
  if (op === 'remove') for (const id of memberIds(value)) members.delete(id);
  else for (const id of memberIds(value)) members.add(id);
}
