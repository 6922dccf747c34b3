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
  /** The member that a guard has read, whether they are staff, and whether they are a machine. */
  caller?: { readonly id: number; readonly isPersonnel: boolean; readonly machine: object | null };
  accountId?: number;
  /** The cookie that the session token came in. */
  byCookie?: SessionCookieKind;
  /** Whether the session in it is over. */
  isCookieOver?: boolean;
  /** The Set-Cookie lines of the answer. */
  cookies?: Partial<Record<CookieKind, string>>;
  /** Whether the caller disconnected before the answer. */
  hasGone?: boolean;
  /** The account whose identity provider began the session. */
  ssoAccountId?: number;
  /** Set if another person acts for the member. */
  acting?: ActingFacts;
  /** The digest of the API key of the call, once its checksum was checked. */
  keyDigest?: string;
  /** Set if a machine calls with an API key. */
  key?: KeyFacts;
  /** Set if the directory of an account calls. */
  directory?: { readonly tokenId: number };
  /** Set where an application calls with an access token, for a member or as its machine. */
  agent?: AgentFacts | MachineTokenFacts;
}

/** An access token of an application for this API, which was found valid in this call. */
interface ApplicationTokenFacts {
  readonly tokenDigest: string;
  readonly memberId: number;
  /** The account that it gives access to. */
  readonly accountId: number;
  readonly applicationId: number;
  /** The scopes that the application may still have, of those that the token was issued for. */
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

/** The token of an application that acts for a member, in the account that they chose, within what they agreed to. */
export interface AgentFacts extends ApplicationTokenFacts {
  readonly actsAs: 'member';
  readonly grantDigest: string;
  /** For an application that a document describes, the address of the document. */
  readonly clientId: string;
  readonly consentId: number;
  /** The session that it ends with; null for none. */
  readonly familyId: number | null;
  readonly sessionEpoch: number;
  /** The level of that session. */
  readonly level: number;
  /** Whether the member agreed that it learns their address. */
  readonly seesAddress: boolean;
}

/** The token of an application of an account that acts as its machine, which is `memberId`. */
export interface MachineTokenFacts extends ApplicationTokenFacts {
  readonly actsAs: 'machine';
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

/** The session of the browser's user, or of the member for whom they act. */
export type SessionCookieKind = 'session' | 'acting';

/**
 * The session tokens, the browser that a second step is bound to, and the account that a front end's server has selected: that one
 * is set by `createServerClient` of the client SDK, and only removed here.
 */
export type CookieKind = SessionCookieKind | 'step' | 'account';
