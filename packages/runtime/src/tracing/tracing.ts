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

export interface RequestSpan {
  /** Runs the handler. Spans that start in it are children of this one. */
  run(handle: () => void): void;
  end(outcome: { route: string; status: number; requestId: string }): void;
}
