import { createHash } from 'node:crypto';
import type { ScimGroupRow } from '@gatehouse/db/queries/scim-groups';
import { GROUP_LETTER, type ScimUserRow, USER_LETTER } from '@gatehouse/db/queries/scim-users';
import { GROUP_SCHEMA, USER_SCHEMA } from './discovery.js';
import { attributePath } from './parse-filter.js';
import { invalidValue } from './scim-error.js';
import type { UserFields } from './user-fields.js';

/** A resource in an answer. */
export interface Resource {
  readonly [attribute: string]: unknown;
  readonly id: string;
  readonly meta: { readonly [name: string]: unknown; readonly version: string; readonly location: string };
}

const VERSION_LENGTH = 20;

/** What a user is to their directory. */
export function fieldsOf({ email: userName, isActive, known }: ScimUserRow): UserFields {
  return {
    userName,
    externalId: known?.externalId ?? null,
    givenName: known?.givenName ?? null,
    familyName: known?.familyName ?? null,
    displayName: known?.displayName ?? null,
    email: known?.email ?? null,
    active: isActive,
  };
}

/** A user as in RFC 7643, section 4.1. Its version is a digest, so that every change gives another one. */
export function userResource(
  base: string,
  row: ScimUserRow,
  groups: readonly { readonly groupId: number; readonly displayName: string }[],
): Resource {
  const id = `${USER_LETTER}${row.id}`;
  const { userName, externalId, givenName, familyName, displayName, email, active } = fieldsOf(row);
  const names = { givenName: givenName ?? row.firstName, familyName: familyName ?? row.lastName };
  const formatted = `${names.givenName} ${names.familyName}`.trim();
  const resource = {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    name: { ...names, formatted },
    displayName: displayName ?? (formatted === '' ? row.username : formatted),
    emails: [{ value: email ?? userName, type: 'work', primary: true }],
    active,
    groups: groups.map(({ groupId, displayName: display }) => ({
      value: `${GROUP_LETTER}${groupId}`,
      $ref: `${base}/Groups/${GROUP_LETTER}${groupId}`,
      display,
      type: 'direct',
    })),
  };
  const digest = createHash('sha256').update(JSON.stringify(resource)).digest('hex');
  return {
    ...resource,
    meta: {
      resourceType: 'User',
      created: new Date(row.joinedAtMs).toISOString(),
      lastModified: new Date(row.changedAtMs).toISOString(),
      location: `${base}/Users/${id}`,
      version: `W/"${digest.slice(0, VERSION_LENGTH)}"`,
    },
  };
}

interface GroupOfUser {
  readonly membershipId: number;
  readonly groupId: number;
  readonly displayName: string;
}

/** The groups of each user. */
export function byUser(groups: readonly GroupOfUser[]): ReadonlyMap<number, readonly GroupOfUser[]> {
  const found = new Map<number, GroupOfUser[]>();
  for (const group of groups) {
    const known = found.get(group.membershipId);
    if (known) known.push(group);
    else found.set(group.membershipId, [group]);
  }
  return found;
}

/** A group as in RFC 7643, section 4.2. */
export function groupResource(
  base: string,
  row: ScimGroupRow,
  members: readonly number[] | undefined,
): Resource {
  const id = `${GROUP_LETTER}${row.id}`;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(row.externalId !== null && { externalId: row.externalId }),
    displayName: row.displayName,
    ...(members && {
      members: members.map((each) => ({
        value: `${USER_LETTER}${each}`,
        $ref: `${base}/Users/${USER_LETTER}${each}`,
        type: 'User',
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: new Date(row.createdAtMs).toISOString(),
      lastModified: new Date(row.updatedAtMs).toISOString(),
      location: `${base}/Groups/${id}`,
      version: groupVersion(row),
    },
  };
}

export function groupVersion({ version }: Pick<ScimGroupRow, 'version'>): string {
  return `W/"${version}"`;
}

/** Which attributes an answer has (RFC 7644, section 3.9). */
export interface Projection {
  readonly attributes?: readonly string[];
  readonly excludedAttributes?: readonly string[];
}

const MAX_NAMES = 50;

/**
 * The requested attributes, of a query or the body of a search.
 * @throws {ScimError} `invalidValue`
 */
export function projectionOf(read: (name: 'attributes' | 'excludedAttributes') => unknown): Projection {
  const attributes = namesIn(read('attributes'), 'attributes');
  const excludedAttributes = namesIn(read('excludedAttributes'), 'excludedAttributes');
  if (attributes && excludedAttributes)
    throw invalidValue('attributes and excludedAttributes cannot be asked for together');
  return { ...(attributes && { attributes }), ...(excludedAttributes && { excludedAttributes }) };
}

function namesIn(sent: unknown, name: string): string[] | undefined {
  if (sent === null || sent === undefined || sent === '') return undefined;
  const names: unknown[] = typeof sent === 'string' ? sent.split(',') : Array.isArray(sent) ? sent : [sent];
  if (names.length > MAX_NAMES) throw invalidValue(`${name} has more than ${MAX_NAMES} names`);
  return names.map((each) => {
    if (typeof each !== 'string') throw invalidValue(`${name} must be names of attributes`);
    const trimmed = each.trim();
    // Unknown names select nothing.
    return attributePath(trimmed) ?? trimmed.toLowerCase();
  });
}

/** Always in an answer. */
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);

/** Whether an answer has an attribute, by its name in lower case. */
export function isAsked({ attributes, excludedAttributes }: Projection, name: string): boolean {
  if (attributes) return attributes.some((each) => each === name || each.startsWith(`${name}.`));
  return !excludedAttributes?.includes(name);
}

/** A resource with the requested attributes. */
export function project(resource: Resource, projection: Projection): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      if (ALWAYS.has(name)) return [[name, value]];
      const path = name.toLowerCase();
      return isAsked(projection, path) ? [[name, withParts(value, path, projection)]] : [];
    }),
  );
}

/** A value, or each value of a list, with only the requested parts. */
function withParts(value: unknown, path: string, projection: Projection): unknown {
  const { attributes, excludedAttributes } = projection;
  if (attributes?.includes(path)) return value;
  if (!attributes && !excludedAttributes?.some((each) => each.startsWith(`${path}.`))) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => withParts(each, path, projection));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([part]) => {
      const asked = `${path}.${part.toLowerCase()}`;
      return attributes ? attributes.includes(asked) : !excludedAttributes?.includes(asked);
    }),
  );
}

/**
 * Requires that the resource still has the version that a directory has read.
 * @returns whether it does
 */
export function isVersion(header: string | undefined, version: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//i, '');
  return header.split(',').some((each) => each.trim() === '*' || opaque(each) === opaque(version));
}
