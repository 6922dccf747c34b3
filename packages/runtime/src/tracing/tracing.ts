import type { TraceStatement } from '@gatehouse/db/dialect/driver';

/** The spans of a request, for a collector. Absent without tracing. */
export interface Tracing {
  /** Begins the span of a request. A W3C `traceparent` makes it a child of the caller's. */
  begin(request: { method: string; traceparent: string | undefined }): RequestSpan;
  /** Runs work in a span of the current request. */
  span<Result>(
    name: string,
    attributes: Readonly<Record<string, string>>,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Sends all unsent spans. */
  close(): Promise<void>;
}

interface RequestSpan {
  /** Runs the handler. Spans that start in it are children of this one. */
  run(handle: () => void): void;
  end(outcome: { route: string; status: number; requestId: string }): void;
}

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
