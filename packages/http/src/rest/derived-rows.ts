import type { ListedProcedure } from '../trpc/list-procedures.js';
import { derivedInput } from './derived-input.js';
import type { ProcedureRow, RestRow } from './route.js';

/**
 * A row for every procedure at the path derived from its name: `a.b` is `POST /v1/a/b`, and also `GET` if it
 * only reads. Its description comes from the procedure, or from the procedure's documented row.
 * @throws {Error} at start, for a procedure without either
 */
export function derivedRows(
  procedures: readonly ListedProcedure[],
  documented: readonly RestRow<never>[],
): ProcedureRow[] {
  return procedures.map(({ name, type, about, input }) => {
    const row = documented.find((each) => each.kind === 'procedure' && each.call === name);
    const described = about ?? (row?.kind === 'procedure' ? row.about : undefined);
    if (described === undefined) throw new Error(`${name} has no summary: give it .meta({ about })`);
    return {
      kind: 'procedure',
      about: described,
      methods: type === 'query' ? ['GET', 'POST'] : ['POST'],
      path: `/v1/${name.replaceAll('.', '/')}`,
      call: name,
      input: derivedInput(input),
      derived: true,
    };
  });
}
