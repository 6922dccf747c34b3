import { ERRORS } from '@gatehouse/auth-core';
import type { RestRow } from '@gatehouse/http/rest/route';
import type { ListedProcedure } from '@gatehouse/http/trpc/list-procedures';
import { describeRule, TAGS } from '@gatehouse/http/trpc/procedure-rule';

/** The API of one deployment: its route table and its procedures. */
export interface Surface {
  readonly title: string;
  readonly routes: readonly RestRow<never>[];
  readonly procedures: readonly ListedProcedure[];
}

/** Every path and every procedure of the deployments, as a Markdown page. */
export function renderEndpoints(surfaces: readonly Surface[]): string {
  return [
    '# Endpoints',
    '',
    'Rendered from the tables of paths (`apps/api-main/src/routes.ts`, `apps/api-admin/src/routes.ts`) by `pnpm docs:render`;',
    'do not edit. Every procedure `a.b` is served at `/v1/a/b` and at `/trpc/a.b`; the other paths are those of the replaced',
    'system. Paths ignore case and a trailing slash. The tables of procedures say who may call each.',
    '',
    'Send the session as `Token`, and the account to act in as `Accountid`. A procedure that succeeds answers 200 with `status: true`',
    'beside the fields of its output, none of which is called `status`, `error` or `requestId`. A refusal is',
    '`{ "status": false, "message", "error": { "code", "issues"? }, "requestId" }` with one of [the codes](#error-codes), or RFC 9457',
    'with `Accept: application/problem+json`; without a valid session it is 401 with the plain text `unauthorized access`. Lists take',
    '`limit` (50, at most 200) and `cursor`, and answer `page.nextCursor`.',
    '',
    '## For generators of clients',
    '',
    'Each service describes itself at `/openapi.json` (OpenAPI 3.1), and at `/docs` for people. Each procedure is there once, under `/v1`:',
    '`member.list` is the operation `memberList`, GET because it only reads. Both addresses take `?tag=` for one kind of reader:',
    '',
    '| Tag | Operations |',
    '|---|---|',
    ...Object.entries(TAGS).map(([tag, description]) => `| \`${tag}\` | ${description} |`),
    '',
    'The paths of `compatibility`, `oauth` and `pages` are only in the documents of these tags. Operations at paths of the replaced system have names',
    'that end in `Legacy`.',
    '',
    '`pnpm -s gatehouse openapi --service api-main` prints the document without a running service, for the address in `BASE_URL`, and with',
    '`--postman` a Postman collection of it: put your address into its variable `baseUrl`, and run a login; later requests send its token.',
    'Our tests compile and run clients that openapi-typescript, @hey-api/openapi-ts and orval make of both documents.',
    '',
    ...surfaces.flatMap(renderSurface),
    '## Error codes',
    '',
    '| Code | Status | Sentence |',
    '|---|---|---|',
    ...Object.entries(ERRORS).map(
      ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
    ),
    '',
  ].join('\n');
}

function renderSurface({ title, routes, procedures }: Surface): string[] {
  return [
    `## ${title}`,
    '',
    '| Path | Procedure, or what it does |',
    '|---|---|',
    ...routes.map(
      (row) =>
        `| \`${row.methods.join(', ')} ${row.path}\` | ${row.kind === 'raw' ? row.summary : `\`${row.call}\``} |`,
    ),
    '',
    `### ${title}: who may call what`,
    '',
    'Each procedure, at `/v1/a/b` and `/trpc/a.b`. Those that only read answer GET and POST, the others POST.',
    '',
    '| Who | Reads | Changes |',
    '|---|---|---|',
    ...callersOf(procedures),
    '',
  ];
}

/** A row for each rule, with the procedures that have it. */
function callersOf(procedures: readonly ListedProcedure[]): string[] {
  return [...new Set(procedures.map(({ rule }) => describeRule(rule)))].map((who) => {
    const cells = (['query', 'mutation'] as const).map((type) =>
      procedures
        .filter((procedure) => procedure.type === type && describeRule(procedure.rule) === who)
        .map(({ name }) => `\`${name}\``)
        .join(', '),
    );
    return `| ${who} | ${cells.join(' | ')} |`;
  });
}
