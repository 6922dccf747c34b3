import type { MainOutputs, Permission } from '../main.js';

type Me = MainOutputs['session']['me'];

/** A Fetch `Request`, a Node request (also that of a framework), or headers alone. */
export type AnyRequest =
  | { readonly headers: AnyHeaders; readonly method?: string | undefined; readonly url?: string | undefined }
  | Headers;

export type AnyHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Who calls, and what they may do in the selected account; also as an access token says it. */
export interface VerifiedCaller {
  readonly member: Pick<Me['member'], 'id'> & Partial<Me['member']>;
  /** The account that the call acts in, of its `Accountid` header; null for none. */
  readonly account: { readonly id: number; readonly name?: string } | null;
  /** The number of the role in the account. */
  readonly role: number | null;
  /** What the member may do in the account. */
  readonly permissions: readonly Permission[];
  /** The subscription of the account. */
  readonly subscription: NonNullable<Me['currentAccount']>['subscription'] | null;
  /** The level of authentication that the session has reached: 1, 2 with a second factor, 3 with a passkey; 1 for a machine. */
  readonly level: number;
  /** The staff member who acts for the member; null if the member calls. */
  readonly actor: Me['actor'];
  /** The API key of the calling machine, which is not a person; null if a member calls. */
  readonly key: Me['key'];
}

/** The same, as the service says it. */
export interface Verified extends VerifiedCaller {
  readonly member: Me['member'];
  readonly account: { readonly id: number; readonly name: string } | null;
}

export interface Verifier<Caller extends VerifiedCaller = Verified> {
  /**
   * Who sent a request; null if the service would not let them in.
   * @throws {AccessRefused} with status 429, for an API key that has made its calls of the minute
   * @throws {Error} that `isUnavailable` recognizes, if the service cannot be asked
   */
  verify(request: AnyRequest): Promise<Caller | null>;
  /**
   * Makes a function that requires the sender of a request to have a permission in the selected account.
   * It throws `AccessRefused`, and an error that `isUnavailable` recognizes if the service cannot be asked.
   */
  require(permission: Permission): (request: AnyRequest) => Promise<Caller>;
}

/** Why a request is refused. Frameworks answer `status` or `statusCode`. */
export interface AccessRefused extends Error {
  readonly name: 'AccessRefused';
  readonly status: 400 | 401 | 403 | 429;
  readonly statusCode: 400 | 401 | 403 | 429;
  /** The service's error code, such as `unauthorized` or `permission_denied`. */
  readonly code: string;
}

/** The decision about a request. */
export type Decision<Caller extends VerifiedCaller = VerifiedCaller> = Caller | Refusal;

export type Refusal = Pick<AccessRefused, 'status' | 'code'>;

export const UNAUTHORIZED = { status: 401, code: 'unauthorized' } as const;

/** Whether an error says that a request is refused. */
export function isAccessRefused(error: unknown): error is AccessRefused {
  return error instanceof Error && error.name === 'AccessRefused';
}

/** What both verifiers offer, made from one decision. */
export function verifierOf<Caller extends VerifiedCaller>(
  decide: (request: AnyRequest) => Promise<Decision<Caller>>,
): Verifier<Caller> {
  return {
    async verify(request) {
      const decision = await decide(request);
      if (!('code' in decision)) return decision;
      // Its key is valid, so the caller must not be treated as unauthenticated.
      if (decision.status === 429) throw refused(decision);
      return null;
    },
    require: (permission) => async (request) => {
      const decision = await decide(request);
      if ('code' in decision) throw refused(decision);
      if (decision.account === null) throw refused({ status: 403, code: 'account_required' });
      if (!decision.permissions.includes(permission))
        throw refused({ status: 403, code: 'permission_denied' });
      return decision;
    },
  };
}

/** Staff may see what the member sees, and change nothing. */
export function unlessReadOnly(verified: Verified, isChange: boolean): Decision<Verified> {
  return isChange && verified.actor?.readOnly === true ? { status: 403, code: 'read_only' } : verified;
}

function refused({ status, code }: Refusal): Error {
  const error = new Error(`Refused: ${code}`);
  return Object.assign(error, { name: 'AccessRefused', status, statusCode: status, code });
}

/** The service could not be asked. `isUnavailable` knows it by the cause. */
export function unavailable(cause: unknown): Error {
  const error = new Error('Gatehouse is unavailable', { cause });
  return Object.assign(error, { status: 503, statusCode: 503, isUnavailable: true });
}
