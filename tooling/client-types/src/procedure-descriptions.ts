import { derivedRows } from '@gatehouse/http/rest/procedure-rows';
import type { RestRow } from '@gatehouse/http/rest/route';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { describeRule } from '@gatehouse/http/trpc/procedure-rule';

/** OpenAPI's description of each procedure in a few lines: its summary, who may call it, and its other paths. */
export function procedureDescriptions(
  router: Parameters<typeof listProcedures>[0],
  routes: readonly RestRow<never>[],
): ReadonlyMap<string, string> {
  const procedures = listProcedures(router);
  const rows = derivedRows(procedures, routes);
  return new Map(
    procedures.map(({ name, rule }) => {
      const summary = rows.find(({ call }) => call === name)?.about.summary ?? '';
      const paths = routes
        .filter((row) => row.kind === 'procedure' && row.call === name)
        .map(({ methods, path }) => `\`${methods.join(' or ')} ${path}\``);
      const also = paths.length === 0 ? '' : ` Also ${paths.join(', ')}.`;
      return [name, `${summary}.\n\nOpen to ${describeRule(rule)}.${also}`];
    }),
  );
}
