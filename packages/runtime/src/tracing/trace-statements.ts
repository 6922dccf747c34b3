import type { TraceStatement } from '@gatehouse/db/dialect/driver';
import type { Tracing } from './tracing.js';

const MAX_STATEMENT_LENGTH = 1_000;

/** The `trace` option of `openDatabase` that records a span for each statement. Undefined without tracing. */
export function traceStatements(tracing: Tracing | undefined): TraceStatement | undefined {
  if (tracing === undefined) return undefined;
  return (sql, run) => {
    const text = sql.slice(0, MAX_STATEMENT_LENGTH);
    const operation = /^\w+/.exec(text)?.[0].toLowerCase() ?? 'statement';
    return tracing.span(`db ${operation}`, { 'db.query.text': text }, run);
  };
}
