import { textOf } from './code-samples.js';
import type { OpenApiDocument, Operation, Parameter } from './open-api-types.js';
import { isUsuallySent, parameterAt } from './operation-parameters.js';
import type {
  Described,
  PostmanAuth,
  PostmanCollection,
  PostmanItem,
  PostmanRequest,
  PostmanUrl,
} from './postman-format.js';

const OTHER_TOKENS: Readonly<Record<string, string>> = {
  loginBearer: 'bearer',
  partnerAuthenticate: 'partner',
  sessionIssueAuthToken: 'authToken',
};

/** The security scheme for the `token` an operation returns; none if it returns none. */
function keptToken({ operationId, responses }: Operation): string | undefined {
  const answer = responses['200'];
  if (answer === undefined || '$ref' in answer) return undefined;
  const properties = answer.content?.['application/json']?.schema['properties'];
  if (typeof properties !== 'object' || properties === null || !('token' in properties)) return undefined;
  return OTHER_TOKENS[operationId.replace(/Legacy$/, '')] ?? 'session';
}

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** The account of the examples, and the variable that has it in a collection. */
const ACCOUNT = { header: 'Accountid', variable: 'accountId', value: '1' };

interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/**
 * The operations of a document as a Postman collection, format 2.1: a folder for each tag, and a variable for each
 * token, which the requests that answer one set.
 */
export function postmanCollection(document: OpenApiDocument): PostmanCollection {
  const { info, tags, paths, servers, components } = document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Placed => ({ path, method, operation })),
  );
  const schemes = Object.keys(components.securitySchemes).filter((key) => !key.startsWith('cookie'));
  return {
    info: { name: info.title, description: info.description, version: info.version, schema: FORMAT },
    variable: [
      { key: 'baseUrl', value: servers[0]?.url ?? '' },
      { key: ACCOUNT.variable, value: ACCOUNT.value },
      ...schemes.map((key) => ({ key, value: '' })),
    ],
    item: tags
      .map(({ name, description }) => ({
        name,
        description,
        item: operations
          .filter(({ operation }) => operation.tags[0] === name)
          .map((placed) => toItem(placed, document)),
      }))
      .filter(({ item }) => item.length > 0),
  };
}

function toItem(placed: Placed, document: OpenApiDocument): PostmanItem {
  const { path, method, operation } = placed;
  const request = toRequest(placed, document);
  const keeps = keptToken(operation);
  const answer = operation.responses['200'];
  const media = answer && 'content' in answer ? answer.content?.['application/json'] : undefined;
  return {
    name: `${operation.summary} (${method.toUpperCase()} ${path})`,
    request,
    ...(keeps === undefined ? {} : { event: [{ listen: 'test', script: keeping(keeps) }] }),
    response:
      media?.example === undefined
        ? []
        : [
            {
              name: 'As documented',
              originalRequest: request,
              status: 'OK',
              code: 200,
              header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
              body: indented(media.example),
            },
          ],
  };
}

/** Stores the token of an answer for the requests that follow. */
function keeping(variable: string) {
  return {
    type: 'text/javascript' as const,
    exec: [
      'const token = pm.response.code === 200 ? pm.response.json().token : undefined;',
      `if (token) pm.collectionVariables.set('${variable}', token);`,
    ],
  };
}

function toRequest({ path, method, operation }: Placed, document: OpenApiDocument): PostmanRequest {
  const parameters = operation.parameters.map((given) => ({
    parameter: parameterAt(given),
    isSent: isUsuallySent(given),
  }));
  const placedIn = (place: Parameter['in']) => parameters.filter(({ parameter }) => parameter.in === place);
  const headers = placedIn('header')
    .filter(({ parameter }) => parameter.name !== 'X-Request-Id')
    .map(({ parameter, isSent }) => ({
      ...described(parameter),
      ...(parameter.name === ACCOUNT.header ? { value: `{{${ACCOUNT.variable}}}` } : {}),
      ...(isSent ? {} : { disabled: true as const }),
    }));
  const query = placedIn('query').map(({ parameter, isSent }) => ({
    ...described(parameter),
    ...(isSent ? {} : { disabled: true as const }),
  }));
  const params = placedIn('path').map(({ parameter }) => described(parameter));
  return {
    method: method.toUpperCase(),
    description: operation.description,
    auth: authOf(operation, document),
    header: [...headers, ...contentType(operation)],
    url: toUrl(path, params, query),
    ...bodyOf(operation),
  };
}

function described(parameter: Parameter): Described {
  const { name, description } = parameter;
  return { key: name, value: textOf(parameter), ...(description === undefined ? {} : { description }) };
}

/** Postman fills whole segments of a path. A parameter that is only a part of one is filled here. */
function toUrl(path: string, params: readonly Described[], query: PostmanUrl['query']): PostmanUrl {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) =>
      segment.replaceAll(/\{([^}]+)\}/g, (whole, name: string) =>
        whole === segment ? `:${name}` : (params.find(({ key }) => key === name)?.value ?? whole),
      ),
    );
  const sent = query.filter(({ disabled }) => !disabled);
  const search = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&');
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${search && `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: segments,
    query,
    variable: params.filter(({ key }) => segments.includes(`:${key}`)),
  };
}

/** The first way to authenticate; the value is a variable of the collection. */
function authOf({ security }: Operation, { components }: OpenApiDocument): PostmanAuth {
  const [key] = Object.keys(security[0] ?? {});
  const scheme = key === undefined ? undefined : components.securitySchemes[key];
  if (key === undefined || scheme === undefined) return { type: 'noauth' };
  const value = { key: 'value', value: `{{${key}}}`, type: 'string' as const };
  if (scheme['type'] === 'http') return { type: 'bearer', bearer: [{ ...value, key: 'token' }] };
  const name = { key: 'key', value: String(scheme['name']), type: 'string' as const };
  return { type: 'apikey', apikey: [name, value, { key: 'in', value: 'header', type: 'string' }] };
}

const JSON_TYPE = 'application/json';

function bodyType({ requestBody }: Operation): string | undefined {
  const types = Object.keys(requestBody?.content ?? {});
  return types.includes(JSON_TYPE) ? JSON_TYPE : types[0];
}

function contentType(operation: Operation): Described[] {
  const type = bodyType(operation);
  return type === undefined ? [] : [{ key: 'Content-Type', value: type }];
}

function bodyOf(operation: Operation): Pick<PostmanRequest, 'body'> {
  const type = bodyType(operation);
  if (type === undefined) return {};
  const example = operation.requestBody?.content[type]?.example ?? {};
  if (type === JSON_TYPE)
    return { body: { mode: 'raw', raw: indented(example), options: { raw: { language: 'json' } } } };
  const fields = Object.entries(typeof example === 'object' ? example : {});
  return {
    body: {
      mode: 'urlencoded',
      urlencoded: fields.map(([key, value]) => ({ key, value: String(value) })),
    },
  };
}

function indented(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
