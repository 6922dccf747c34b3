import type { Method, RestRow } from './route.js';

export interface RouteMatch<Row> {
  readonly row: Row;
  readonly params: Readonly<Record<string, string>>;
}

export interface RouteMap<Row> {
  /** The row for a path and method. If a known path has another method, `methods` lists those it accepts. */
  find(
    method: string,
    pathname: string,
  ): RouteMatch<Row> | { readonly methods: readonly Method[] } | undefined;
}

interface Pattern<Row> {
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly rows: Row[];
}

const NO_PARAMS: Readonly<Record<string, string>> = {};

/**
 * Finds rows by path: one map look-up for plain paths, a short list of patterns for those with parameters. Like
 * the replaced system's router, it ignores case and a trailing slash.
 * @throws {Error} at start, when two rows claim the same method and path.
 */
export function createRouteMap<Row extends RestRow<never>>(rows: readonly Row[]): RouteMap<Row> {
  const plain = new Map<string, Row[]>();
  const patterns = new Map<string, Pattern<Row>>();

  for (const row of rows) {
    const path = canonical(row.path);
    const siblings = path.includes(':') ? patternFor(patterns, row.path).rows : listFor(plain, path);
    const claimed = siblings.find((other) => other.methods.some((method) => row.methods.includes(method)));
    if (claimed) throw new Error(`Two rows claim ${row.methods.join('/')} ${row.path}`);
    siblings.push(row);
  }

  function choose(candidates: readonly Row[], method: string, params: RouteMatch<Row>['params']) {
    const row = candidates.find((candidate) => candidate.methods.some((accepted) => accepted === method));
    return row ? { row, params } : { methods: candidates.flatMap((candidate) => candidate.methods) };
  }

  return {
    find(method, pathname) {
      const known = plain.get(pathname) ?? plain.get(canonical(pathname));
      if (known) return choose(known, method, NO_PARAMS);
      for (const { expression, names, rows: candidates } of patterns.values()) {
        const match = expression.exec(pathname);
        if (!match) continue;
        const params = Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? '']));
        return choose(candidates, method, params);
      }
      return undefined;
    },
  };
}

function canonical(path: string): string {
  const lower = path.toLowerCase();
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
}

function listFor<Row>(lists: Map<string, Row[]>, key: string): Row[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function patternFor<Row>(patterns: Map<string, Pattern<Row>>, path: string): Pattern<Row> {
  const names: string[] = [];
  const source = path
    .split(/(:[A-Za-z]+)/)
    .map((part) => {
      if (!part.startsWith(':')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(part.slice(1));
      return '([^/]+)';
    })
    .join('');
  const pattern = patterns.get(source) ?? { expression: new RegExp(`^${source}/?$`, 'i'), names, rows: [] };
  patterns.set(source, pattern);
  return pattern;
}
