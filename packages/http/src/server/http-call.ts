/**
 * A call as procedures see it: a small view of the HTTP request, the same for both transports. It contains no
 * framework type, so router declarations do not depend on Express.
 */
export interface Call {
  /** Sent back as `X-Request-Id` and written on every log line of the call. */
  readonly requestId: string;
  readonly transport: 'rest' | 'trpc';
  readonly method: string | undefined;
  /** The client's address as trusted proxies report it, never from a forgeable header alone. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** Whether a body follows the headers. It may arrive slowly. */
  readonly hasBody: boolean;
  /** A header by lower-case name; repeated ones are joined by `, `. */
  header(name: string): string | undefined;
  /** The guards' findings, for the request's log line. */
  readonly facts: CallFacts;
}

export interface CallFacts {
  memberId?: number;
  /** The member that a guard has read, and whether they are staff. */
  caller?: { readonly id: number; readonly isPersonnel: boolean };
  accountId?: number;
  /** The cookie that the session token came in. */
  byCookie?: SessionCookieKind;
  /** Whether the session in it is over. */
  isCookieOver?: boolean;
  /** The Set-Cookie lines of the answer. */
  cookies?: Partial<Record<CookieKind, string>>;
  /** Whether the caller hung up before the answer. */
  hasGone?: boolean;
  /** Set where somebody else acts for the member. */
  acting?: ActingFacts;
  /** The digest of the API key of the call, once its checksum was checked. */
  keyDigest?: string;
  /** Set where a machine calls with an API key. */
  key?: KeyFacts;
  /** Set where an application calls for the member with an access token. */
  agent?: AgentFacts;
}

/** An access token of an application for this API, which was found to count in this call. */
export interface AgentFacts {
  readonly tokenDigest: string;
  readonly grantDigest: string;
  readonly memberId: number;
  /** The account that the member chose. */
  readonly accountId: number;
  readonly applicationId: number;
  /** For an application that a document describes the address of the document. */
  readonly clientId: string;
  readonly consentId: number;
  /** The session that it ends with; null for none. */
  readonly familyId: number | null;
  readonly sessionEpoch: number;
  /** The level of that session. */
  readonly level: number;
  /** What the member agreed to of what it was issued for. */
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

export interface KeyFacts {
  readonly id: number;
  /** The account of the machine; null for one of the staff. */
  readonly accountId: number | null;
  /** How many calls the key may make in a minute. */
  readonly perMinute: number;
}

export interface ActingFacts {
  /** Who acts. */
  readonly actorId: number;
  readonly impersonationId: number;
  /** The account it was begun for. */
  readonly accountId: number | null;
  readonly isReadOnly: boolean;
}

/** The session of the browser's user, or that of somebody whom they act for. */
export type SessionCookieKind = 'session' | 'acting';

/**
 * The session tokens, the browser that a second step is bound to, and the account that a front end's server has selected: that one
 * is set by `createServerClient` of the client SDK, and only removed here.
 */
export type CookieKind = SessionCookieKind | 'step' | 'account';
