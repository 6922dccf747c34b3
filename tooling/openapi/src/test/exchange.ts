import type { IncomingHttpHeaders } from 'node:http';

/** A request and its answer as sent over the network. */
export interface Exchange {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestBody: Buffer;
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly responseHeaders: IncomingHttpHeaders;
  readonly responseBody: Buffer;
}
