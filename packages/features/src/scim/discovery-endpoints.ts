import { z } from 'zod';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.js';
import { ScimError } from './scim-error.js';
import { listResponse, resourceAnswer, type ScimRequest, scimEndpoint } from './scim-exchange.js';

const params = { id: z.string() };

/** @throws {ScimError} 403, as RFC 7644, section 4, asks */
function refuseFilter({ query }: ScimRequest): void {
  if (query.has('filter')) throw new ScimError(403, undefined, 'This list has no filter');
}

function oneOf(all: readonly Record<string, unknown>[], id: string | undefined) {
  const found = all.find((each) => each['id'] === id);
  if (found === undefined) throw new ScimError(404, undefined, 'There is no such resource');
  return { status: 200, body: found };
}

/** What a directory reads to learn what is served. */
export const discoveryEndpoints = {
  config: scimEndpoint(
    { summary: 'What is served to directories', success: { 200: resourceAnswer('It') }, refused: [403] },
    async (request) => {
      refuseFilter(request);
      return { status: 200, body: serviceProviderConfig(request.base) };
    },
  ),
  schemas: scimEndpoint(
    {
      summary: 'The attributes of users and groups',
      success: { 200: resourceAnswer('They') },
      refused: [403],
    },
    async (request) => {
      refuseFilter(request);
      return listResponse(schemas(request.base));
    },
  ),
  schema: scimEndpoint(
    { summary: 'The attributes of one', params, success: { 200: resourceAnswer('They') }, refused: [404] },
    async ({ base, params: { id } }) => oneOf(schemas(base), id),
  ),
  resourceTypes: scimEndpoint(
    { summary: 'The types of resources', success: { 200: resourceAnswer('They') }, refused: [403] },
    async (request) => {
      refuseFilter(request);
      return listResponse(resourceTypes(request.base));
    },
  ),
  resourceType: scimEndpoint(
    { summary: 'One type of resources', params, success: { 200: resourceAnswer('It') }, refused: [404] },
    async ({ base, params: { id } }) => oneOf(resourceTypes(base), id),
  ),
};
