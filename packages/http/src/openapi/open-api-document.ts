import type { AnyTRPCRouter } from '@trpc/server';
import type { Method, RestRow } from '../rest/route.js';
import type { HttpConfig } from '../server/http-config.js';
import { createSessionCookies } from '../server/session-cookies.js';
import { type ListedProcedure, listProcedures } from '../trpc/list-procedures.js';
import { TAGS, type Tag } from '../trpc/procedure-rule.js';
import { HEADERS } from './answers.js';
import { curlSample } from './code-samples.js';
import { type CredentialNames, newComponents, securitySchemes } from './document-components.js';
import { procedureOperation, rawOperation } from './document-operation.js';
import { namedOperations } from './named-operations.js';
import type { OpenApiDocument, Operation } from './open-api-types.js';
import { PARAMETERS, pathTemplate } from './operation-parameters.js';

/** The description of a deployment. */
export interface DescribedDeployment extends CredentialNames {
  readonly name: string;
  readonly version: string;
  readonly router: AnyTRPCRouter;
  /** All rows of the deployment. */
  readonly rows: readonly RestRow<never>[];
  /** Whether browsers get a page at `/`. */
  readonly hasLanding?: boolean;
  readonly server: { readonly url: string; readonly environment: string; readonly isInternal: boolean };
  /** The front end of those who run it. */
  readonly frontEnd: string;
}

const DESCRIPTION = `Rendered from the table of paths and the schemas of the procedures behind it, which are also what the service checks by.

- Each operation is here once, at \`/v1\`, with its readers as its tag. \`/openapi.json?tag=partner\` has those of one tag alone.
- The paths of the replaced system are in \`/openapi.json?tag=compatibility\`; its logins are here too. Pages for browsers are in \`?tag=pages\`, and what libraries for OpenID Connect call in \`?tag=oauth\`.
- A procedure answers 200 with \`status: true\`. A refusal is the envelope \`ApiError\`, in whose place those who accept \`application/problem+json\` get \`Problem\` (RFC 9457); where nobody is signed in it is 401 with the text \`unauthorized access\`.
- A path that is not listed is refused with 404 \`not_found\`, a method that is not with 405 \`method_not_allowed\` and \`Allow\`.
- Paths ignore case and a trailing slash. A GET path answers HEAD; at \`/v1\` it answers POST alike, with the query as a JSON body. Bodies are JSON of at most 100 kB; numbers may be spelt as text.
- Lists hold at most 200 rows, 50 unless \`limit\` says otherwise, and go on with \`page.nextCursor\` as \`cursor\`.
- What a schema cannot say, such as that one of two fields is needed, is refused with 400 \`invalid_input\` and \`issues\`.`;

/** Tags whose operations are only in the document of that tag. */
const ON_REQUEST: ReadonlySet<Tag> = new Set(['oauth', 'pages', 'compatibility']);

/** The tags for which a deployment has documents. */
export function documentTags({ router, rows }: Pick<DescribedDeployment, 'router' | 'rows'>): Tag[] {
  const used = new Set(namedOperations(rows, proceduresByName(router)).flatMap(({ tags }) => tags));
  return tagNames().filter((tag) => used.has(tag));
}

/**
 * The OpenAPI 3.1 document of a deployment: the operations with a tag, or without one, all except those that are only for pages
 * or for clients of the replaced system.
 * @throws {Error} for a row that cannot be described, which is a mistake in the table.
 */
export function openApiDocument(deployment: DescribedDeployment, tag?: Tag): OpenApiDocument {
  const { name, version, router, rows, server, frontEnd } = deployment;
  const components = newComponents();
  const procedures = proceduresByName(router);
  const paths: Record<string, Record<string, Operation>> = {};
  const schemes = securitySchemes(deployment);
  const shown = namedOperations(rows, procedures).filter(({ tags }) =>
    tag === undefined ? tags.some((each) => !ON_REQUEST.has(each)) : tags.includes(tag),
  );

  for (const { row, method, operationId, tags } of shown) {
    const path = pathTemplate(row.path);
    const about = described(row, method);
    const curl = curlSample({ path, method, operation: about, serverUrl: server.url, schemes });
    const operation = { operationId, tags, ...about, 'x-codeSamples': [curl, ...about['x-codeSamples']] };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }

  function described(row: RestRow<never>, method: Method): Omit<Operation, 'operationId' | 'tags'> {
    if (row.kind === 'raw') return rawOperation(row, components);
    const operation = procedureOperation(row, method, procedures(row), components);
    return deployment.hasLanding && row.path === '/' ? alsoPage(operation) : operation;
  }

  const used = new Set<Tag>(shown.flatMap(({ tags }) => tags));
  const ways = new Set(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ security }) => security.flatMap(Object.keys)),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: `Gatehouse, ${name}`,
      version,
      description: DESCRIPTION,
      contact: { name: 'Those who run this service', url: frontEnd },
    },
    servers: [{ url: server.url, description: server.environment, 'x-internal': server.isInternal }],
    tags: tagNames()
      .filter((each) => used.has(each))
      .map((each) => ({ name: each, description: TAGS[each] })),
    paths,
    components: {
      schemas: Object.fromEntries(components.schemas),
      responses: Object.fromEntries(components.responses),
      parameters: referredTo(PARAMETERS, 'parameters', paths),
      headers: referredTo(HEADERS, 'headers', [paths, [...components.responses]]),
      securitySchemes: pick(schemes, (key) => ways.has(key)),
    },
  };
}

/** In alphabetical order, as linters require. */
function tagNames(): Tag[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TAGS is a literal, whose keys are its type's
  return (Object.keys(TAGS) as Tag[]).toSorted();
}

function proceduresByName(router: AnyTRPCRouter): (row: { path: string; call: string }) => ListedProcedure {
  const procedures = new Map(listProcedures(router).map((each) => [each.name, each]));
  return ({ path, call }) => {
    const found = procedures.get(call);
    if (!found) throw new Error(`${path} calls ${call}, which is no procedure`);
    return found;
  };
}

type Described = Omit<Operation, 'operationId' | 'tags'>;

/** The answer for programs, together with the page a browser gets instead. */
function alsoPage(operation: Described): Described {
  const { 200: answer } = operation.responses;
  if (answer === undefined || '$ref' in answer) return operation;
  const content = { ...answer.content, 'text/html': { schema: { type: 'string', maxLength: 1_000_000 } } };
  return { ...operation, responses: { ...operation.responses, 200: { ...answer, content } } };
}

function referredTo<Value>(
  all: Readonly<Record<string, Value>>,
  kind: string,
  within: unknown,
): Record<string, Value> {
  const text = JSON.stringify(within);
  return pick(all, (key) => text.includes(`"#/components/${kind}/${key}"`));
}

function pick<Value>(
  all: Readonly<Record<string, Value>>,
  isWanted: (key: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => isWanted(key)));
}

/** A deployment with what documents need to know of its configuration. */
export interface DescribedService {
  readonly name: string;
  readonly version: string;
  readonly application: string;
  readonly router: AnyTRPCRouter;
  readonly hasLanding: boolean;
  readonly config: Pick<
    HttpConfig,
    'APP_URL' | 'BASE_URL' | 'COOKIE_ORIGINS' | 'NODE_ENV' | 'TOKEN_HEADER_KEY'
  >;
}

/** A deployment with its table, as documents describe it. */
export function describedDeployment(
  { name, version, application, router, hasLanding, config }: DescribedService,
  rows: DescribedDeployment['rows'],
): DescribedDeployment {
  return {
    name,
    version,
    router,
    rows,
    hasLanding,
    tokenHeader: config.TOKEN_HEADER_KEY,
    sessionCookie: createSessionCookies(config, application).name,
    frontEnd: config.APP_URL,
    server: {
      url: config.BASE_URL,
      environment: `The ${config.NODE_ENV} service`,
      isInternal: application === 'admin',
    },
  };
}
