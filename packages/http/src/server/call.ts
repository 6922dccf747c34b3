/**
 * One call as procedures see it: our own small view of the HTTP request, the same behind both
 * transports. It holds no framework type, so that router declarations stay free of Express.
 */
export interface Call {
  /** Echoed as `X-Request-Id` and written on every log line of the call. */
  readonly requestId: string;
  readonly transport: 'rest' | 'trpc';
  /** The client's address as the trusted proxies report it, never a forgeable header alone. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** Whether a body follows the headers, which may take its time. */
  readonly hasBody: boolean;
  /** A header by its lower-case name; repeated ones arrive joined by `, `. */
  header(name: string): string | undefined;
  /** What the guards found out, kept for the log line of the request. */
  readonly facts: CallFacts;
}

export interface CallFacts {
  memberId?: number;
  accountId?: number;
}
