import type { Method, ProcedureRow, RestRow } from '../rest/route.js';
import type { ListedProcedure } from '../trpc/list-procedures.js';
import type { Rule, Tag } from '../trpc/procedure-rule.js';

/** A row for one of its methods, as documents name it. */
export interface NamedOperation {
  readonly row: RestRow<never>;
  readonly method: Method;
  readonly operationId: string;
  readonly tags: readonly Tag[];
}

/**
 * The operations of a table. A derived row that only reads is one operation, for GET, though it answers POST the same way. Those
 * of the replaced system's paths have names ending in `Legacy`.
 */
export function namedOperations(
  rows: readonly RestRow<never>[],
  procedureOf: (row: ProcedureRow) => ListedProcedure,
): NamedOperation[] {
  const taken = new Set<string>();
  return rows.flatMap((row) =>
    describedMethods(row).map((method) => ({
      row,
      method,
      operationId: unused(operationNames(row, method), taken),
      tags: row.kind === 'raw' ? [row.about.tag] : procedureTags(row, procedureOf(row)),
    })),
  );
}

function describedMethods(row: RestRow<never>): readonly Method[] {
  const isReading = row.kind === 'procedure' && row.derived && row.methods.includes('GET');
  return isReading ? ['GET'] : row.methods;
}

function procedureTags(row: ProcedureRow, { rule }: ListedProcedure): Tag[] {
  const own = row.about.tag ?? tagOf(rule);
  if (row.derived || isOfOurs(row)) return [own];
  return row.isLogin ? [own, 'compatibility'] : ['compatibility'];
}

function tagOf(rule: Rule | undefined): Tag {
  switch (rule?.who) {
    case undefined:
    case 'anyone':
      return 'public';
    case 'bearer':
      return 'machines';
    case 'authToken':
    case 'root':
      return 'staff';
    case 'member':
    case 'account':
    case 'partner':
    case 'staff':
      return rule.who;
  }
}

const V1 = '/v1/';

/** Whether a path besides the derived ones does not belong to the replaced system: `/v1/events`. */
const isOfOurs = ({ path }: ProcedureRow): boolean => path.startsWith(V1);

/** The name of an operation, and those it has if an earlier one took it. */
function operationNames(row: RestRow<never>, method: Method): string[] {
  if (row.kind === 'raw') {
    const words = row.path.split(/[^A-Za-z]+/).filter((word) => word !== '');
    return [camelCase([...words, method.toLowerCase()])];
  }
  const name = camelCase(row.call.split('.'));
  if (row.derived) return [name];
  if (isOfOurs(row)) return [camelCase(row.path.slice(V1.length).split('/'))];
  return row.methods.length > 1 && method === 'POST'
    ? [`${name}PostLegacy`]
    : [`${name}Legacy`, `${name}OtherLegacy`];
}

function camelCase([first = '', ...others]: readonly string[]): string {
  return [first, ...others.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)].join('');
}

function unused(names: readonly string[], taken: Set<string>): string {
  const free = names.find((each) => !taken.has(each));
  if (free === undefined) throw new Error(`${names.join(' and ')} are taken by other operations`);
  taken.add(free);
  return free;
}
