import { emailKey } from '@gatehouse/auth-core';
import { type ScimFilter, ScimFilterError } from '@gatehouse/db/queries/scim-filter';
import {
  countGroupMembers,
  countScimGroups,
  listGroupMembers,
  listScimGroups,
} from '@gatehouse/db/queries/scim-groups';
import { countScimUsers, listGroupsOfUsers, listScimUsers } from '@gatehouse/db/queries/scim-users';
import { groupNameKey } from './directory-rules.js';
import { MAX_RESULTS } from './discovery.js';
import { invalidFilter, parseFilter } from './parse-filter.js';
import {
  byUser,
  groupResource,
  isAsked,
  type Projection,
  project,
  projectionOf,
  userResource,
} from './resources.js';
import { invalidValue } from './scim-error.js';
import { listResponse, type ScimAnswer, type ScimRequest } from './scim-exchange.js';

/** The parameters of a directory's search (RFC 7644, section 3.4.2). */
interface Search {
  readonly filter: ScimFilter | undefined;
  readonly startIndex: number;
  readonly count: number;
  readonly projection: Projection;
}

const DEFAULT_COUNT = 100;
const MAX_INDEX = 1_000_000_000;

/** The maximum number of group members in one answer; a page with more has fewer groups, at least one. */
const MAX_MEMBERS_SHOWN = 20_000;

/**
 * @param read a parameter of the query, or a field of the body of a search
 * @throws {ScimError} `invalidFilter`, `invalidValue`
 */
export function searchOf(read: (name: string) => unknown): Search {
  const filter = read('filter');
  if (filter !== undefined && filter !== null && typeof filter !== 'string')
    throw invalidFilter('filter must be text');
  const count = wholeNumber(read('count'), 'count') ?? DEFAULT_COUNT;
  return {
    filter: typeof filter === 'string' ? parseFilter(filter) : undefined,
    startIndex: Math.max(1, wholeNumber(read('startIndex'), 'startIndex') ?? 1),
    count: Math.min(MAX_RESULTS, Math.max(0, count)),
    projection: projectionOf(read),
  };
}

function wholeNumber(sent: unknown, name: string): number | undefined {
  if (sent === undefined || sent === null || sent === '') return undefined;
  const number = typeof sent === 'string' && /^-?\d{1,10}$/.test(sent.trim()) ? Number(sent) : sent;
  if (typeof number !== 'number' || !Number.isInteger(number))
    throw invalidValue(`${name} must be a whole number`);
  return Math.min(number, MAX_INDEX);
}

/** A kind of resources: how many a filter finds, and those of a page. */
interface Listing {
  readonly count: () => Promise<number>;
  readonly page: (offset: number, limit: number) => Promise<object[]>;
}

function usersOf({ ctx, base }: ScimRequest, { filter, projection }: Search): Listing {
  const { db } = ctx.services;
  const found = { accountId: ctx.directory.accountId, filter, emailKey };
  return {
    count: () => countScimUsers(db, found),
    async page(offset, limit) {
      const rows = await listScimUsers(db, { ...found, offset, limit });
      const ids = isAsked(projection, 'groups') ? rows.map(({ id }) => id) : [];
      const groups = byUser(await listGroupsOfUsers(db, ids));
      return rows.map((row) => project(userResource(base, row, groups.get(row.id) ?? []), projection));
    },
  };
}

function groupsOf({ ctx, base }: ScimRequest, { filter, projection }: Search): Listing {
  const { db } = ctx.services;
  const found = { accountId: ctx.directory.accountId, filter, nameKey: groupNameKey };
  return {
    count: () => countScimGroups(db, found),
    async page(offset, limit) {
      const rows = await listScimGroups(db, { ...found, offset, limit });
      if (!isAsked(projection, 'members'))
        return rows.map((row) => project(groupResource(base, row, undefined), projection));
      const sizes = await countGroupMembers(
        db,
        rows.map(({ id }) => id),
      );
      let shown = 0;
      const fitting = rows.filter(({ id }, at) => {
        shown += sizes.get(id) ?? 0;
        return at === 0 || shown <= MAX_MEMBERS_SHOWN;
      });
      const members = new Map<number, number[]>(fitting.map(({ id }) => [id, []]));
      for (const { groupId, membershipId } of await listGroupMembers(db, [...members.keys()]))
        members.get(groupId)?.push(membershipId);
      return fitting.map((row) => project(groupResource(base, row, members.get(row.id)), projection));
    },
  };
}

/** Users that a search finds. */
export function listUsers(request: ScimRequest, search: Search): Promise<ScimAnswer> {
  return listOf(search, [usersOf(request, search)]);
}

/** Groups that a search finds. */
export function listGroups(request: ScimRequest, search: Search): Promise<ScimAnswer> {
  return listOf(search, [groupsOf(request, search)]);
}

/**
 * Users and groups that a search finds. A filter may name an attribute that only one of the two has; the search then finds that one.
 * @throws {ScimError} `invalidFilter` where neither has it
 */
export async function listAll(request: ScimRequest, search: Search): Promise<ScimAnswer> {
  const kinds = [usersOf(request, search), groupsOf(request, search)];
  const answerable: Listing[] = [];
  let refusal: ScimFilterError | undefined;
  for (const kind of kinds) {
    try {
      await kind.count();
      answerable.push(kind);
    } catch (error) {
      if (!(error instanceof ScimFilterError)) throw error;
      refusal = error;
    }
  }
  if (answerable.length === 0 && refusal) throw invalidFilter(refusal.message);
  return listOf(search, answerable);
}

async function listOf({ startIndex, count }: Search, kinds: readonly Listing[]): Promise<ScimAnswer> {
  try {
    let totalResults = 0;
    const resources: object[] = [];
    let isCut = false;
    for (const kind of kinds) {
      const total = await kind.count();
      const offset = Math.max(0, startIndex - 1 - totalResults);
      const limit: number = isCut ? 0 : Math.min(count - resources.length, Math.max(0, total - offset));
      const page: object[] = limit === 0 ? [] : await kind.page(offset, limit);
      // A shortened page is continued by the next one.
      isCut ||= page.length < limit;
      resources.push(...page);
      totalResults += total;
    }
    return listResponse(resources, { totalResults, startIndex });
  } catch (error) {
    if (error instanceof ScimFilterError) throw invalidFilter(error.message);
    throw error;
  }
}
