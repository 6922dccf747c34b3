import type { AnyTRPCRouter } from '@trpc/server';
import type { Method, RestRow } from '../rest/route.js';
import { listProcedures } from '../trpc/list-procedures.js';
import { HEADERS } from './answers.js';
import { newComponents } from './components.js';
import { curlSample } from './curl-sample.js';
import type { OpenApiDocument, Operation } from './document.js';
import { PARAMETERS } from './parameters.js';
import { pathTemplate } from './path-template.js';
import { procedureOperation } from './procedure-operation.js';
import { rawOperation } from './raw-operation.js';
import { type CredentialNames, securitySchemes } from './security-schemes.js';
import { TAGS } from './tags.js';

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
}

const DESCRIPTION = `Rendered from the table of paths and the schemas of the procedures behind it, which are also what the service checks by.

- Success is 200 with \`status: true\`. A refusal is the envelope \`Error\`, in whose place those who accept \`application/problem+json\` get \`Problem\` (RFC 9457); where nobody is signed in it is 401 with the text \`unauthorized access\`.
- A path that is not listed is refused with 404 \`not_found\`, a method that is not with 405 \`method_not_allowed\` and \`Allow\`.
- A browser that opens \`/\` is shown a page; programs get what is listed.
- Paths ignore case and a trailing slash. A GET path answers HEAD. Bodies are JSON of at most 100 kB; numbers may be spelt as text.
- Lists hold at most 200 rows, 50 unless \`limit\` says otherwise, and go on with \`page.nextCursor\` as \`cursor\`.
- What a schema cannot say, such as that one of two fields is needed, is refused with 400 \`invalid_input\` and \`issues\`.`;

/**
 * The OpenAPI 3.1 document of a deployment.
 * @throws {Error} for a row that cannot be described, which is a mistake in the table.
 */
export function openApiDocument(deployment: DescribedDeployment): OpenApiDocument {
  const { name, version, router, rows, server } = deployment;
  const components = newComponents();
  const procedures = new Map(listProcedures(router).map((each) => [each.name, each]));
  const paths: Record<string, Record<string, Operation>> = {};
  const taken = new Set<string>();
  const schemes = securitySchemes(deployment);

  for (const row of rows) {
    for (const method of row.methods) {
      const path = pathTemplate(row.path);
      const about = described(row, method);
      const curl = curlSample({ path, method, operation: about, serverUrl: server.url, schemes });
      const operation = {
        operationId: unused(operationName(row, method), taken),
        ...about,
        'x-codeSamples': [curl, ...about['x-codeSamples']],
      };
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
    }
  }

  function described(row: RestRow<never>, method: Method): Omit<Operation, 'operationId'> {
    if (row.kind === 'raw') return rawOperation(row, components);
    const procedure = procedures.get(row.call);
    if (!procedure) throw new Error(`${row.path} calls ${row.call}, which is no procedure`);
    const operation = procedureOperation(row, method, procedure, components);
    return deployment.hasLanding && row.path === '/' ? alsoPage(operation) : operation;
  }

  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))];
  const used = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)));
  return {
    openapi: '3.1.0',
    info: { title: `Gatehouse, ${name}`, version, description: DESCRIPTION },
    servers: [{ url: server.url, description: server.environment, 'x-internal': server.isInternal }],
    tags: tags.map((tag) => ({ name: tag, description: TAGS[tag] ?? tag })),
    paths,
    components: {
      schemas: Object.fromEntries(components.schemas),
      responses: Object.fromEntries(components.responses),
      parameters: referredTo(PARAMETERS, 'parameters', paths),
      headers: referredTo(HEADERS, 'headers', [paths, [...components.responses]]),
      securitySchemes: pick(schemes, (key) => used.has(key)),
    },
  };
}

/** The answer for programs, together with the page a browser gets instead. */
function alsoPage(operation: Omit<Operation, 'operationId'>): Omit<Operation, 'operationId'> {
  const { 200: answer } = operation.responses;
  if (answer === undefined || '$ref' in answer) return operation;
  const content = { ...answer.content, 'text/html': { schema: { type: 'string', maxLength: 1_000_000 } } };
  return { ...operation, responses: { ...operation.responses, 200: { ...answer, content } } };
}

/** The procedure's name, or path and method without one. */
function operationName(row: RestRow<never>, method: Method): string {
  if (row.kind === 'procedure') {
    if (!row.derived) return row.call;
    return row.methods.length > 1 && method === 'GET' ? `v1.${row.call}.get` : `v1.${row.call}`;
  }
  const words = row.path.split(/[^A-Za-z]+/).filter((word) => word !== '');
  return [...words, method.toLowerCase()].join('.');
}

/** A procedure with several paths or methods has several operations. */
function unused(name: string, taken: Set<string>): string {
  const free = [name, `${name}.other`, `${name}.another`].find((each) => !taken.has(each));
  if (free === undefined) throw new Error(`${name} has too many paths`);
  taken.add(free);
  return free;
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
