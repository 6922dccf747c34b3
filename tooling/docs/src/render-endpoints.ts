import type { ListedProcedure, RestRow, Rule } from '@gatehouse/api-kit';

/** What one deployment answers: its table of paths and its procedures. */
export interface Surface {
  readonly title: string;
  readonly routes: readonly RestRow[];
  readonly procedures: readonly ListedProcedure[];
}

/** Every path and every procedure of the deployments, as a Markdown page. */
export function renderEndpoints(surfaces: readonly Surface[]): string {
  return [
    '# Endpoints',
    '',
    'Rendered from the tables of paths (`apps/api-main/src/routes.ts`, `apps/api-admin/src/routes.ts`) by `pnpm docs:render`;',
    'do not edit. Every procedure is also served at `/trpc/<procedure>`. Paths ignore case and a trailing slash.',
    '',
    ...surfaces.flatMap(renderSurface),
  ].join('\n');
}

function renderSurface({ title, routes, procedures }: Surface): string[] {
  const rules = new Map(procedures.map(({ name, rule }) => [name, rule]));
  const byPath = new Set(routes.flatMap((row) => (row.kind === 'procedure' ? [row.call] : [])));
  const others = procedures.filter(({ name }) => !byPath.has(name));
  return [
    `## ${title}`,
    '',
    '| Methods | Path | Procedure | Who |',
    '|---|---|---|---|',
    ...routes.map((row) =>
      row.kind === 'raw'
        ? `| ${row.methods.join(', ')} | \`${row.path}\` | ${row.summary} | by itself |`
        : `| ${row.methods.join(', ')} | \`${row.path}\` | \`${row.call}\` | ${whoOf(rules.get(row.call))} |`,
    ),
    '',
    ...(others.length === 0
      ? []
      : [
          `### ${title}: over tRPC only`,
          '',
          '| Procedure | Type | Who |',
          '|---|---|---|',
          ...others.map(({ name, type, rule }) => `| \`${name}\` | ${type} | ${whoOf(rule)} |`),
          '',
        ]),
  ];
}

function whoOf(rule: Rule | undefined): string {
  switch (rule?.who) {
    case undefined:
      return 'nobody';
    case 'anyone':
      return 'anyone';
    case 'bearer':
      return 'a Scheme B bearer token';
    case 'partner':
      return 'a partner';
    case 'authToken':
      return "a staff member's auth token";
    case 'member':
      return rule.inPerson ? 'a member who signed in by themselves' : 'a signed-in member';
    case 'account':
      return [
        `\`${rule.permission}\` in the account`,
        rule.orOwn ? ', or what is their own' : '',
        rule.staffWithoutAccount ? '; staff without one too' : '',
      ].join('');
    case 'staff':
      return rule.permission ? `staff with \`${rule.permission}\`` : 'staff';
    case 'root':
      return 'staff of base role 0';
  }
}
