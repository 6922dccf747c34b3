import { scimIdIn } from '@gatehouse/db/queries/scim-filter';
import { GROUP_LETTER, USER_LETTER } from '@gatehouse/db/queries/scim-users';
import { z } from 'zod';
import { changeGroup, createGroup, noGroup, readGroup, removeGroup } from './change-groups.js';
import { changeUser, createUser, noUser, readUser, removeUser } from './change-users.js';
import { groupFieldsIn, patchGroup } from './group-fields.js';
import { listAll, listGroups, listUsers, searchOf } from './list-resources.js';
import { fieldOf, patchOperations } from './patch-operations.js';
import { isAsked, isVersion, type Projection, project, projectionOf, type Resource } from './resources.js';
import { resourceAnswer, type ScimAnswer, type ScimRequest, scimEndpoint } from './scim-exchange.js';
import { patchUser, userFieldsIn } from './user-fields.js';

const params = { id: z.string() };

const query = z.object({
  filter: z.string().optional(),
  startIndex: z.coerce.number().int().optional(),
  count: z.coerce.number().int().optional(),
  attributes: z.string().optional(),
  excludedAttributes: z.string().optional(),
});

const parts = query.pick({ attributes: true, excludedAttributes: true });

const FOUND = { 200: resourceAnswer('A page of them') };
const ONE = { 200: resourceAnswer('It') };
const MADE = { 201: resourceAnswer('It is made') };
const GONE = { 204: { description: 'It is deleted' } };

function ofQuery({ query: sent }: ScimRequest): (name: string) => unknown {
  return (name) => sent.get(name) ?? undefined;
}

function ofBody(body: Readonly<Record<string, unknown>>): (name: string) => unknown {
  return (name) => fieldOf(body, name.toLowerCase());
}

function userId({ params: { id = '' } }: ScimRequest): number {
  const found = scimIdIn(USER_LETTER, id);
  if (found === undefined) throw noUser();
  return found;
}

function groupId({ params: { id = '' } }: ScimRequest): number {
  const found = scimIdIn(GROUP_LETTER, id);
  if (found === undefined) throw noGroup();
  return found;
}

function answered(resource: Resource, projection: Projection, status = 200): ScimAnswer {
  const { version, location } = resource.meta;
  return {
    status,
    body: project(resource, projection),
    headers: {
      ETag: version,
      ...(status === 201 ? { Location: location } : { 'Content-Location': location }),
    },
  };
}

/** A resource, or 304 where the directory has this version. */
function answeredIfNew(resource: Resource, projection: Projection, { header }: ScimRequest): ScimAnswer {
  const { version } = resource.meta;
  if (isVersion(header('if-none-match'), version)) return { status: 304, headers: { ETag: version } };
  return answered(resource, projection);
}

/** What the endpoints that change a resource have in common. */
const CHANGES = { params, query: parts, takesBody: true, success: ONE, refused: [404, 409, 412] } as const;

/** RFC 7644, section 3.5.2: if the request names no attributes, the answer may be empty. */
const CHANGED = { 204: { description: 'It is changed, and no attributes were asked for' } };

const UNCHANGED = { 304: { description: 'It has not changed' } };

/** Users, as directories provision them. */
export const userEndpoints = {
  list: scimEndpoint(
    { summary: 'List the users of a directory', query, success: FOUND, refused: [400] },
    (request) => listUsers(request, searchOf(ofQuery(request))),
  ),
  search: scimEndpoint(
    { summary: 'Search the users of a directory', takesBody: true, success: FOUND },
    async (request) => listUsers(request, searchOf(ofBody(await request.body()))),
  ),
  create: scimEndpoint(
    { summary: 'Add a user', query: parts, takesBody: true, success: MADE, refused: [409] },
    async (request) => {
      const body = await request.body();
      const projection = projectionOf(ofQuery(request));
      return answered(await createUser(request, userFieldsIn(body, true)), projection, 201);
    },
  ),
  read: scimEndpoint(
    { summary: 'Read a user', params, query: parts, success: { ...ONE, ...UNCHANGED }, refused: [400, 404] },
    async (request) => {
      const { ctx, base } = request;
      const user = await readUser({ ctx, tx: ctx.services.db }, base, userId(request));
      return answeredIfNew(user, projectionOf(ofQuery(request)), request);
    },
  ),
  replace: scimEndpoint({ summary: 'Replace what is known of a user', ...CHANGES }, async (request) => {
    const id = userId(request);
    const body = await request.body();
    const projection = projectionOf(ofQuery(request));
    const user = await changeUser(request, id, ({ active }) => userFieldsIn(body, active));
    return answered(user, projection);
  }),
  patch: scimEndpoint({ summary: 'Change a user', ...CHANGES }, async (request) => {
    const id = userId(request);
    const operations = patchOperations(await request.body());
    const projection = projectionOf(ofQuery(request));
    const user = await changeUser(request, id, (before) => patchUser(before, operations));
    return answered(user, projection);
  }),
  remove: scimEndpoint(
    { summary: 'Delete a user, whose access ends', params, success: GONE, refused: [404, 409, 412] },
    async (request) => {
      await removeUser(request, userId(request));
      return { status: 204 };
    },
  ),
};

/** Groups, as directories provision them. */
export const groupEndpoints = {
  list: scimEndpoint(
    { summary: 'List the groups of a directory', query, success: FOUND, refused: [400] },
    (request) => listGroups(request, searchOf(ofQuery(request))),
  ),
  search: scimEndpoint(
    { summary: 'Search the groups of a directory', takesBody: true, success: FOUND },
    async (request) => listGroups(request, searchOf(ofBody(await request.body()))),
  ),
  create: scimEndpoint(
    { summary: 'Add a group', query: parts, takesBody: true, success: MADE, refused: [409] },
    async (request) => {
      const body = await request.body();
      const projection = projectionOf(ofQuery(request));
      const shown = { withMembers: isAsked(projection, 'members') };
      return answered(await createGroup(request, groupFieldsIn(body), shown), projection, 201);
    },
  ),
  read: scimEndpoint(
    { summary: 'Read a group', params, query: parts, success: { ...ONE, ...UNCHANGED }, refused: [400, 404] },
    async (request) => {
      const { ctx, base } = request;
      const projection = projectionOf(ofQuery(request));
      const withMembers = isAsked(projection, 'members');
      const group = await readGroup({ ctx, tx: ctx.services.db }, base, groupId(request), { withMembers });
      return answeredIfNew(group, projection, request);
    },
  ),
  replace: scimEndpoint({ summary: 'Replace a group', ...CHANGES }, async (request) => {
    const id = groupId(request);
    const fields = groupFieldsIn(await request.body());
    const projection = projectionOf(ofQuery(request));
    const shown = { withMembers: isAsked(projection, 'members') };
    return answered(await changeGroup(request, id, () => fields, shown), projection);
  }),
  patch: scimEndpoint(
    { summary: 'Change a group', ...CHANGES, success: { ...ONE, ...CHANGED } },
    async (request) => {
      const id = groupId(request);
      const operations = patchOperations(await request.body());
      const projection = projectionOf(ofQuery(request));
      // Directories add members a few at a time. They do not read them all each time.
      const isShown = Object.keys(projection).length > 0;
      const shown = { withMembers: isShown && isAsked(projection, 'members') };
      const group = await changeGroup(request, id, (before) => patchGroup(before, operations), shown);
      return isShown ? answered(group, projection) : { status: 204, headers: { ETag: group.meta.version } };
    },
  ),
  remove: scimEndpoint(
    { summary: 'Delete a group', params, success: GONE, refused: [404, 412] },
    async (request) => {
      await removeGroup(request, groupId(request));
      return { status: 204 };
    },
  ),
};

/** Both at once. */
export const searchEndpoint = scimEndpoint(
  { summary: 'Search the users and groups of a directory', takesBody: true, success: FOUND },
  async (request) => listAll(request, searchOf(ofBody(await request.body()))),
);
