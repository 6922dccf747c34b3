import type { Database } from '@gatehouse/db/database';

/**
 * How somebody was authenticated: by a password, a mailed one-time password, a provider, a partner, the identity provider of an account, a code or link by
 * mail, an authenticator app, a backup code, or a passkey with a user verification. A mailed code as second step adds
 * nothing (NIST SP 800-63B-4, 3.1.3.1).
 */
export type AuthenticationMethod =
  | 'pwd'
  | 'otp-mail'
  | 'social'
  | 'partner'
  | 'fed'
  | 'email'
  | 'totp'
  | 'rc'
  | 'passkey';

const METHODS: Readonly<Record<AuthenticationMethod, number>> = {
  pwd: 1,
  'otp-mail': 1,
  social: 1,
  partner: 1,
  fed: 1,
  email: 1,
  totp: 2,
  rc: 2,
  passkey: 3,
};

/** The level of an authentication: the highest of its methods. */
export function levelOf(methods: readonly AuthenticationMethod[]): number {
  return Math.max(1, ...methods.map((method) => METHODS[method]));
}

/** As sessions and challenges store it. */
export function toAmr(methods: readonly AuthenticationMethod[]): string {
  return [...new Set(methods)].join(' ');
}

/** The methods of a stored session or challenge; none if they are not known. */
export function readAmr(amr: string | null): AuthenticationMethod[] {
  return (amr ?? '').split(' ').filter(isMethod);
}

function isMethod(name: string): name is AuthenticationMethod {
  return Object.hasOwn(METHODS, name);
}

/** A right proof that is not consumed yet. */
export interface CheckedProof {
  readonly methods: readonly AuthenticationMethod[];
  /**
   * Uses it up, in the transaction of what it allows.
   * @throws {AppError} `invalid_credentials`, or `invalid_challenge` for a used flow
   */
  consume(tx: Database, nowMs: number): Promise<void>;
  /** Call it after the commit. */
  succeed(): Promise<void>;
  /** Call it with what the transaction threw. */
  afterRefusal(error: unknown): Promise<void>;
}
