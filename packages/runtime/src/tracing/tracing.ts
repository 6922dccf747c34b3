/** What becomes of a request, as spans that a collector receives. Absent where tracing is not configured. */
export interface Tracing {
  /** Begins the span of a request, as a child of the caller's where a W3C `traceparent` says so. */
  begin(request: { method: string; traceparent: string | undefined }): RequestSpan;
  /** Runs work within a span of the request that is under way. */
  span<Result>(
    name: string,
    attributes: Readonly<Record<string, string>>,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

export interface RequestSpan {
  /** Runs the handler; spans that it begins are children of this one. */
  run(handle: () => void): void;
  end(outcome: { route: string; status: number; requestId: string }): void;
}
